inherit "generic-c"
while true do end
