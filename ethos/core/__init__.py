"""What things are: records, decisions about them, and the ports. Standard library, `regex` and the automaton only."""
