inherit "wide"
rank = 100
