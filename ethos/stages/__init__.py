"""What the mind does, one file a stage."""
