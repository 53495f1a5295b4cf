"""The inbox: the review file as it lies on disk, shared with whatever editor a person likes (E-30, E-37; TRUST, The review inbox).

`markdown` is the port; `swapping` writes, `sources` looks for what else may hold a person's word, `history` keeps what they saved,
`watching` hears of saves.
"""

from ethos.edge.inbox.markdown import MarkdownInbox
from ethos.edge.inbox.watching import Watch

__all__ = ["MarkdownInbox", "Watch"]
