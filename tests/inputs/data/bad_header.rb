made up
