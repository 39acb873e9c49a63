inherit "plain"
while true do end
