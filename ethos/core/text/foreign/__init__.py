"""Foreign text in a turn: quoted, pasted, announced or enclosed. The rest is the speaker's own."""
