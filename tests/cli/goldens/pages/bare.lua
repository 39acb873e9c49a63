inherit zen4
