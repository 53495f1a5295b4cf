"""The passes of a cycle, in the order in which they run. Those of a night stand in `night.py`: a cycle need not load them."""

from ethos.core.passes.definition import Backlog, Pass, once
from ethos.stages.consolidate.learn import LEARN
from ethos.stages.sleep.decay import DECAY

CONSOLIDATE = Pass("consolidate", Backlog, (LEARN,), marked=True)

CYCLE = (CONSOLIDATE, once(DECAY))  # the decay sweep comes last (E-06)
