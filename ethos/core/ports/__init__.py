"""The ports: every question the application may ask of a store, a review file or the files it knows."""
