inherit "plain"
backend = "cc"
