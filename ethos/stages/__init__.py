"""What the mind does, one file a stage, and the passes that are made of stages."""

from ethos.core.passes.definition import Backlog, Pass
from ethos.stages.consolidate.learn import LEARN
from ethos.stages.sleep.decay import DECAY

CONSOLIDATE = Pass("consolidate", Backlog, (LEARN,))
SLEEP = Pass("sleep", None, (DECAY,))
