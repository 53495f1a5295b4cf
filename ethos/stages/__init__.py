"""What the mind does, one file a stage. A pass is a row of stages."""

from ethos.stages.consolidate.extract import EXTRACT
from ethos.stages.consolidate.resolve import RESOLVE
from ethos.stages.consolidate.select import SELECT

CONSOLIDATE = (SELECT, EXTRACT, RESOLVE)
