"""Exchange: a memory as files that other programs and other machines read. `lines` brings all of it out and in; `notes` is for people."""
