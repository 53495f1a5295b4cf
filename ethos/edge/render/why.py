"""Render the explanation of a record as a tree: the evidence, the rule, the arithmetic of the confidence, the later changes and who decided
them; and what the rules read in a text. Every text goes through `report.clean`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.text import Text
from rich.tree import Tree

from ethos.core.facts.weighing import CORROBORATION
from ethos.core.model.records import Verdict
from ethos.core.review.kinds import kind_of
from ethos.core.rules.certainty import certainty
from ethos.edge.jsonio.objects import Json
from ethos.edge.render import memories
from ethos.edge.render.report import clean, day, moment, plural
from ethos.edge.render.tables import answered, line, said

_RELATIONS = {"session": "session", "words": "words", "tags": "tags", "topic": "topic, and by its time"}
SIGNALS = 10  # of a memory that are shown, the last ones
AROUND = 120  # characters shown on either side of a quoted span
VERDICTS = {
    Verdict.FRESH: "first heard",
    Verdict.CONFIRMS: "said again",
    Verdict.REFINES: "made more exact",
    Verdict.SUPERSEDES: "supersedes another",
    Verdict.SUPERSEDED_ON_ARRIVAL: "replaced already by what was said later",
    Verdict.CONTRADICTS: "contradicts another",
    Verdict.REJECTED_BEFORE: "said again after a person rejected it",
    Verdict.SET_APART: "quarantined until a person accepts it",
    Verdict.MOVED: "counts for another fact since it was weighed anew",
}


def tell(why: Json) -> Tree:
    """Render the answer of `why`."""
    facts: dict[str, list[Json]] = {}
    for version in why["versions"]:
        facts.setdefault(version["id"], []).append(version)
    root = Tree(Text(f"{why['type']} {clean(why['id'])}", style="bold"))
    if why["type"] == "episode":
        _episode(root, why["episodes"].get(why["id"]), why["mark"], why.get("weak") or ())
    if why["summary"]:
        _summary(root, why["summary"], why["episodes"])
    if why["trace"]:
        _trace(root, why["trace"], why["episodes"])
    if why["memory"]:
        _memory(root, why)
    for history in facts.values():
        _fact(root.add(_headline(history[-1])), history, why)
    known = {**why["related"], **{name: history[-1] for name, history in facts.items()}}
    for question in why["questions"]:
        _question(root, question, known)
    for rule, standing in why["standings"].items():
        answers = f"{standing['accepted']} accepted, {standing['rejected']} rejected"
        root.add(Text(f"standing of {clean(rule)}: {answers}; its next claims count x{standing['weight']:.2f}"))
    if why["salience"] is not None:
        root.add(Text(f"salience now {why['salience']:.2f}", style="dim"))
    return root


def claims(found: Sequence[Json], text: str) -> list[Tree]:
    """Render the claims that the rules read in a text, each with its evidence."""
    shown = []
    for claim in found:
        weak = claim["grade"] == "weak"
        tree = Tree(line(("bold", clean(claim["statement"], 300)), ("", claim["kind"] + (", weak" if weak else ""))))
        tree.add(quote(text, *claim["span"]))
        if weak:
            tree.add(Text(f"weak: kept, and not held until {claim['needed']} turns say it"))
        tree.add(Text(f"rule {clean(claim['rule'])}: {_weighed(claim)}"))
        shown.append(tree)
    return shown


def _headline(fact: Json) -> Text:
    return line(("bold", said(fact)), ("", f"{fact['kind']}, {fact['status']}, {fact['confidence']:.2f}"), ("dim", clean(fact["id"])))


def _fact(branch: Tree, history: list[Json], why: Json) -> None:
    last = history[-1]
    pieces = zip(why["evidence"], why["weighed"], strict=True)
    own = [(piece, weighing) for piece, weighing in pieces if piece["fact"] == last["id"]]
    for piece, weighing in own:
        _evidence(branch, piece, weighing, why["episodes"].get(piece["episode"]), last["pack_version"])
    counting = [piece for piece, weighing in own if not (weighing["undone_by"] or weighing["read_by"])]
    branch.add(Text(_arithmetic(counting, last["confidence"])))
    for old in why["related"].values():
        if old["superseded_by"] == last["id"]:
            branch.add(line(("", "supersedes"), ("", said(old)), ("dim", clean(old["id"]))))
    if successor := last["superseded_by"]:
        words = said(why["related"][successor]) if successor in why["related"] else ""
        branch.add(line(("", "superseded by"), ("", words), ("dim", clean(successor))))
    if last["retired_at"]:
        branch.add(Text(f"retired {moment(last['retired_at'])}"))
    if len(history) > 1:
        versions = branch.add(Text(f"{len(history)} versions"))
        for version in history:
            held = f"{moment(version['recorded_at'])} to {moment(version['closed_at']) or 'now'}"
            versions.add(line(("", f"{version['version']}. {said(version)} {version['confidence']:.2f}"), ("dim", held)))


def _evidence(branch: Tree, piece: Json, weighing: Json, episode: Json | None, pack_version: str) -> None:
    who = f" by {clean(episode['speaker'], 60)}, session {clean(episode['session'], 60)}" if episode else ""
    twig = branch.add(line(("", f"said {moment(piece['said_at'])}{who}"), ("dim", clean(piece["episode"]))))
    if episode:
        twig.add(quote(episode["text"], piece["start"], piece["end"]))
        twig.add(Text(f"from {clean(episode['source'], 200)}, origin {episode['origin']}", style="dim"))
    rule = f"rule {clean(piece['rule'])} version {piece['rule_version']}, pack {clean(pack_version)}"
    twig.add(Text(f"{_verdict(piece['verdict'])}: {rule}: {_weighed(piece)}"))
    share = certainty("held", piece["confidence"])
    twig.add(Text(f"of claims held with this confidence, {share:.0%} are right (measured on labelled talk)", style="dim"))
    if signs := weighing.get("signs"):
        told = ", ".join(f"{clean(sign)} {weight:+.1f}" for sign, weight in signs.items())
        twig.add(Text(f"worth {weighing['worth']:.2f}: {told}", style="dim"))
    for other in weighing["against"]:
        told = f"{other['confidence']:.2f}, said {day(other['affirmed_at'] or other['valid_from'])}"
        twig.add(line(("", f"weighed against {said(other)} ({told})"), ("dim", clean(other["id"]))))
    if weighing["undone_by"]:
        twig.add(Text(f"does not count: its run {clean(piece['run'])} was undone by {clean(weighing['undone_by'])}", style="yellow"))
    if weighing["read_by"]:
        twig.add(Text(f"counts once: {clean(weighing['read_by'])} had read it before", style="yellow"))


def _verdict(value: str) -> str:
    """Return a verdict in words; one that only a newer daemon knows as it is."""
    return VERDICTS[Verdict(value)] if value in VERDICTS else clean(value)


def _question(root: Tree, question: Json, known: Json) -> None:
    head = line(("yellow", f"question {clean(question['id'])}"), ("dim", f"opened {moment(question['opened_at'])}"))
    branch = root.add(head)
    for side, name in (("existing", "held"), ("new", "new ")):
        if not question[side]:
            continue
        words = said(known[question[side]]) if question[side] in known else ""
        branch.add(line(("", name), ("", words), ("dim", clean(question[side]))))
    if question["resolved_at"]:
        branch.add(answered(question))
    else:
        kind = kind_of(question["id"])
        branch.add(Text(f"open -> ethos answer {clean(question['id'])} {' | '.join(kind.actions if kind else ())}"))


def _episode(root: Tree, episode: Json | None, mark: Json | None, weak: Sequence[Json]) -> None:
    if episode:
        speaker, session, project = (clean(episode[name], 60) for name in ("speaker", "session", "project"))
        given = "given" if episode["importance_given"] else "estimated"
        root.add(Text(clean(episode["text"], 1_000)))
        who = f"said {moment(episode['said_at'])} by {speaker} ({episode['role']}), session {session}, project {project}"
        root.add(Text(who, style="dim"))
        source = f"from {clean(episode['source'], 200)}, origin {episode['origin']}, importance {episode['importance']:.2f} {given}"
        root.add(Text(source, style="dim"))
    root.add(_progress(mark, weak=bool(weak)))
    text = episode["text"] if episode else ""
    for claim in weak:
        twig = root.add(quote(text, claim["start"], claim["end"]))
        twig.add(Text(f"weak: kept, and not held until {claim['needed']} turns say it; {claim['said']} did"))
        twig.add(Text(f"rule {clean(claim['rule'])}: {claim['confidence']:.2f}", style="dim"))


def _summary(root: Tree, summary: Json, episodes: Json) -> None:
    """Render each sentence of a summary with the turns that it was taken from."""
    for sentence, cited in zip(summary["sentences"], summary["cited"], strict=True):
        twig = root.add(Text(clean(sentence, 1_000)))
        for id_ in cited:
            turn = episodes.get(id_)
            words = f'{clean(turn["speaker"], 60)}: "{clean(turn["text"], AROUND)}"' if turn else ""
            twig.add(line(("", words), ("dim", clean(id_))))
    where = f"session {clean(summary['session'], 60) or 'none'}, project {clean(summary['project'], 60)}"
    root.add(Text(f"tells {plural(len(summary['episodes']), 'turn')} of {summary['words']:,} words, {where}"))
    root.add(Text(f"made {moment(summary['recorded_at'])} by {clean(summary['run'])} -> ethos diff {clean(summary['run'])}", style="dim"))


def _memory(root: Tree, why: Json) -> None:
    """Render a memory: how far it is believed, its last signals, what it was distilled from, and what a person was asked."""
    told = {**why["memory"], **why["proved"], "last": None}
    memory = why["memory"]
    root.add(line(("bold", clean(memory["title"], 80)), ("", f"{memory['outcome']}, {memory['state']}"), ("dim", clean(memory["id"]))))
    session = f", session {clean(memory['session'], 60)}" if memory["session"] else ""
    root.add(Text(f"{memories.maker(memory)} {moment(memory['recorded_at'])}{session}, words of {memory['origin']}"))
    belief = root.add(
        Text(f"began at {memory['initial_confidence']:.2f}, believed {memory['confidence']:.2f} now: {memories.proved(told)}")
    )
    for signal in why["signals"][-SIGNALS:]:
        said = f": {clean(signal['comment'], 200)}" if signal["comment"] else ""
        where = f", session {clean(signal['session'], 60)}" if signal["session"] else ""
        belief.add(Text(f"{moment(signal['at'])} {'+' if signal['positive'] else '-'} {signal['kind']}{where}{said}"))
    for episode in why["episodes"].values():
        where = f"session {clean(episode['session'], 60)}, {moment(episode['said_at'])}"
        twig = root.add(line(("", f"distilled from what {clean(episode['speaker'], 60)} said"), ("dim", f"{where} {clean(episode['id'])}")))
        twig.add(Text(clean(episode["text"], 300)))
    if into := why["memory"]["consolidation_id"]:
        root.add(line(("", "went into"), ("dim", clean(into))))
    for question in why["proposals"]:
        head = f"question {clean(question['id'])}: {question['proposal']} it? opened {moment(question['opened_at'])}"
        twig = root.add(Text(head, style="yellow"))
        kind = kind_of(question["id"])
        if question["action"]:
            twig.add(answered(question))
        elif question["resolved_at"]:
            twig.add(Text(f"closed: {clean(question['by'])}"))
        else:
            twig.add(Text(f"open -> ethos answer {clean(question['id'])} {' | '.join(kind.actions if kind else ())}"))


def _trace(root: Tree, trace: Json, episodes: Json) -> None:
    """Render the two turns of a step, and why the first belongs to the chain."""
    for side in ("source", "target"):
        turn = episodes.get(trace[side])
        words = f'{moment(turn["said_at"])} {clean(turn["speaker"], 60)}: "{clean(turn["text"], AROUND)}"' if turn else ""
        root.add(line(("", words), ("dim", clean(trace[side]))))
    told = f"{trace['type']} of a chain, strength {trace['strength']:.2f}; the first belongs to it by its {_RELATIONS[trace['relation']]}"
    root.add(Text(f"{told} -> ethos recall --narrative {clean(trace['narrative_id'])}"))


def _progress(mark: Json | None, *, weak: bool) -> Text:
    """Render the processing state of an episode."""
    if mark is None or not (mark["scanned_at"] or mark["set_aside"]):
        return Text("not read yet -> ethos consolidate")
    if mark["set_aside"]:
        return Text(f"set aside: {clean(mark['set_aside'])}", style="yellow")
    if mark["consolidated_at"]:
        return Text(f"gave facts, {moment(mark['consolidated_at'])}")
    return Text(f"read {moment(mark['scanned_at'])}; {'what was found in it is weak' if weak else 'nothing was found in it'}")


def _weighed(piece: Json) -> str:
    """Render what the rule gave, times the modifiers: `0.90 x 0.60 (hedge) = 0.54`."""
    now, factors = piece["confidence"], [_factor(each) for each in piece["modifiers"]]
    weights = [(name, weight) for name, weight in factors if weight]
    tags = "".join(f"; {clean(name)}" for name, weight in factors if not weight)
    if not weights:
        return f"{now:.2f}{tags}"
    times = "".join(f" x {weight:.2f} ({clean(name)})" for name, weight in weights)
    return f"{now / math.prod(weight for _, weight in weights):.2f}{times} = {now:.2f}{tags}"


def _factor(modifier: str) -> tuple[str, float]:
    """Split a modifier: `hedge x0.60` -> ("hedge", 0.6). One without a factor has 0."""
    name, cross, weight = modifier.rpartition(" x")
    return (name, float(weight)) if cross and weight.replace(".", "", 1).isdigit() else (modifier, 0.0)


def _arithmetic(evidence: Sequence[Json], now: float) -> str:
    """Render the sum behind the confidence: the first evidence, and a little for each further episode that confirms it (X-E4)."""
    again = len(evidence) - 1
    if again > 0 and math.isclose(min(1.0, evidence[0]["confidence"] + again * CORROBORATION), now, abs_tol=1e-6):
        return f"confidence {evidence[0]['confidence']:.2f} + {again} x {CORROBORATION:.2f} (said again) = {now:.2f}"
    return f"confidence {now:.2f}"


def quote(text: str, start: int, end: int) -> Text:
    """Render the text around a span, the span itself in [ ] so that it is visible without colours too."""
    before, span, after = text[max(0, start - AROUND) : start], text[start:end], text[end : end + AROUND]
    shown = Text(('"' if start <= AROUND else '"... ') + clean(before) + (" " if before.strip() and before[-1:].isspace() else ""))
    shown.append(f"[{clean(span, 400)}]", style="bold green")
    shown.append((" " if after[:1].isspace() and after.strip() else "") + clean(after))
    return shown.append('"' if end + AROUND >= len(text) else ' ..."')
