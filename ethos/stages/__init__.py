"""What the mind does, one file a stage. A pass is a row of stages."""

from ethos.stages.extract import EXTRACT
from ethos.stages.resolve import RESOLVE
from ethos.stages.select import SELECT

CONSOLIDATE = (SELECT, EXTRACT, RESOLVE)
