"""For rule authors: strategies and properties."""
