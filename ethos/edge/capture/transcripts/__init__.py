"""Read the transcripts of other programs into turns. There is one file for each format; `detecting` recognises them.

To add a format, add a file with a `FORMAT`, and its name to `detecting.FORMATS`.
"""
