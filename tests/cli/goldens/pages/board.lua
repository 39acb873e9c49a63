-- A page of a user's own.
inherit "plain"
description = "a board"
toy.depth = 2
