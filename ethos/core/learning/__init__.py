"""What is made of many episodes: replay, lessons, the bank of memories, summaries, and the statistics that they rest on."""
