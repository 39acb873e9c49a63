method { title = "Plain", source = "the tests" }
