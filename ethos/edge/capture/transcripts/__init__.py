"""Transcripts: what other programs wrote down of a conversation, read into turns. One file a format; `detecting` tells them apart.

To add a format: a new file with a `FORMAT`, and its name in `detecting.FORMATS`.
"""
