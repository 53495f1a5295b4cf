"""Text of others in a turn: quoted, pasted, announced, enclosed; what is left is the speaker's own."""
