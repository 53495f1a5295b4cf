"""The actions a program may ask for, and their arguments."""
