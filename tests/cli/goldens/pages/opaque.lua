backend = "nowhere"
