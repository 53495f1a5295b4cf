"""Where the world is: files, sockets, clocks, terminals."""
