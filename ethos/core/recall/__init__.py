"""Recall: the pure half. What a question asks for, what is noted of each text when it is indexed, and how candidates are ranked.

`stages/recall/search.py` gathers the candidates, the store holds the notes. Nothing here reads a file, a clock or a store.
"""
