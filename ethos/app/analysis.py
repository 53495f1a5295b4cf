"""Asking a language model about groups of episodes before a night, if the user named one (H-07, H-08, H-32, H-33).

It is asked outside of every transaction: a call takes seconds. A group that it cannot answer about is told in the report, and the others
are asked all the same. `core.learning.sending` says which words it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping

from ethos.app.dependencies import Dependencies
from ethos.core.learning.lessons.analysis import SYSTEM, Sent, parsed, prompt, sent, topic
from ethos.core.learning.lessons.grouping import Group
from ethos.core.model.errors import Refused
from ethos.core.model.lessons import Analysis
from ethos.core.passes.context import Context
from ethos.core.ports.language_model import LanguageModel
from ethos.stages.sleep import generalize
from ethos.stages.sleep.distil import echoes


def analyses(deps: Dependencies, model: LanguageModel | None, ctx: Context) -> tuple[Analysis, ...]:
    """Return what the model says of the groups that grew, the largest first; nothing without a model."""
    if model is None:
        return ()
    with deps.store.begin() as work:
        lately = generalize.told_lately(generalize.gather(work, ctx), ctx)
        repeated = echoes(work, ctx, lately)
    words = {each.episode.id: each for each in sent((each for each in lately if each.id not in repeated), ctx.readings)}
    groups = generalize.grown([each.episode for each in words.values()], ctx)
    return tuple(_asked(group, words, model, ctx) for group in groups)


def _asked(group: Group, words: Mapping[str, Sent], model: LanguageModel, ctx: Context) -> Analysis:
    about = str(group.about)
    newest = [words[each.id] for each in group.episodes[-ctx.settings.lessons.prompt_episodes :]]
    episodes = tuple(each.episode.id for each in newest)
    try:
        told = model.complete(SYSTEM, prompt(topic(group.about, newest), newest), ctx.settings.llm.max_tokens)
    except Refused as refused:
        return Analysis(about, episodes, problem=refused.problem.what)
    title, body = parsed(told.text)
    return Analysis(about, episodes, title, body, "", told.prompt_tokens, told.completion_tokens)
