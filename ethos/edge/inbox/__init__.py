"""The review file on disk, which people edit with any editor (E-30, E-37).

`markdown` implements the port; `swapping` writes the file, `sources` finds other versions that may hold answers, `history` keeps what
people saved, `watching` notices saves.
"""

from ethos.edge.inbox.markdown import MarkdownInbox
from ethos.edge.inbox.watching import Watch

__all__ = ["MarkdownInbox", "Watch"]
