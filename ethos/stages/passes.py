"""The passes that are made of stages.

A cycle and a night are each a tuple of passes, which run in this order. To add a stage to a night, write its line in `SLEEP`.
"""

from ethos.core.passes.definition import Backlog, Pass, once
from ethos.stages.consolidate.learn import LEARN
from ethos.stages.sleep.compress import COMPRESS
from ethos.stages.sleep.decay import DECAY
from ethos.stages.sleep.distil import DISTIL
from ethos.stages.sleep.draw_profile import DRAW_PROFILE
from ethos.stages.sleep.generalize import GENERALIZE
from ethos.stages.sleep.keep_bank import PRUNE, ROLL_UP
from ethos.stages.sleep.propose import PROPOSE
from ethos.stages.sleep.replay import REPLAY

CONSOLIDATE = Pass("consolidate", Backlog, (LEARN,), marked=True)

CYCLE = (CONSOLIDATE, once(DECAY))  # the decay sweep comes last (E-06)

SLEEP = (
    once(REPLAY),
    once(GENERALIZE),
    once(DISTIL),  # asks which sessions are untold, so before they are told
    COMPRESS,
    once(DRAW_PROFILE),
    once(ROLL_UP),
    once(PRUNE),
    once(PROPOSE),
    once(DECAY),
)
