"""The passes of a night, in the order in which they run. To add a stage to a night, write its pass here."""

from ethos.core.passes.definition import once
from ethos.stages.sleep.compress import COMPRESS
from ethos.stages.sleep.decay import DECAY
from ethos.stages.sleep.distil import DISTIL
from ethos.stages.sleep.draw_profile import DRAW_PROFILE
from ethos.stages.sleep.generalize import GENERALIZE
from ethos.stages.sleep.keep_bank import PRUNE, ROLL_UP
from ethos.stages.sleep.propose import PROPOSE
from ethos.stages.sleep.replay import REPLAY

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
