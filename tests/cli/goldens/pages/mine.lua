inherit "zen5"
