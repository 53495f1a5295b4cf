"""The workbench of rules: `ethos rules check, test, explain, coverage, replay, promote`.

`edge.cli.workbench` proves packs; `ethos.testing` exports it for rule authors.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ethos.core.model.errors import Problem, Refused, refuse
from ethos.core.model.records import Origin, Role
from ethos.core.rules.rule import RuleProblem
from ethos.edge.cli.commands.options import Usual, command
from ethos.edge.client.answers import Json
from ethos.edge.client.connection import Connection
from ethos.edge.render import report

if TYPE_CHECKING:
    from ethos.edge.rulebook import Rulebook

Result = TypeVar("Result")

rules_app = typer.Typer(rich_markup_mode=None)

Beside = Annotated[
    Path | None,
    typer.Option("--rules", metavar="PACK", help="also use these rule files; a pack of the same name is replaced"),
]
Packs = Annotated[list[Path] | None, typer.Argument(metavar="PACK", help="rule files or folders (default: those in use)")]


@rules_app.command("check", short_help="find mistakes in rule packs; run the examples")
@command
def check(
    paths: Packs = None,
    *,
    usual: Usual,
) -> int:
    """Check rule packs and run their examples. Exits with 1 if a pack cannot be used.

    Example: ethos rules check my-rules.toml
    """
    from ethos.edge import rulebook  # noqa: PLC0415 (for this command alone)
    from ethos.edge.jsonio.shapes import plain  # noqa: PLC0415
    from ethos.edge.render import tables  # noqa: PLC0415

    with usual.connect() as connection:
        own = [rulebook.shipped_rules(), *_there(paths)] if paths else None
        wanted = connection.settings.rules.clauses
        book = rulebook.load(own, cache=_proofs(connection), in_use=False, clauses=wanted) if own else connection.rulebook
    if usual.as_json:
        print(report.as_json({"hash": book.rules.hash, "packs": plain(book.packs), "problems": plain(book.problems)}))
    else:
        _tell(book.problems)
        if usual.verbose:
            tables.console().print(tables.rules(plain(book.packs)))
        if not usual.quiet:
            rules, fatal = sum(pack.rules for pack in book.packs), sum(problem.fatal for problem in book.problems)
            errors, warnings = report.plural(fatal, "error"), report.plural(len(book.problems) - fatal, "warning")
            print(f"{report.plural(len(book.packs), 'pack')} with {report.plural(rules, 'rule')} in force, {errors}, {warnings}")
    return report.FAILED if any(problem.fatal for problem in book.problems) else report.DONE


@rules_app.command("test", short_help="test packs: examples, properties, time, a clean corpus")
@command
def try_packs(
    paths: Packs = None,
    rule: Annotated[str, typer.Option("--rule", metavar="ID", help="generate texts for this rule only")] = "",
    examples: Annotated[
        int | None, typer.Option("--examples", metavar="N", min=1, help="the number of texts for each property (100)")
    ] = None,
    thorough: Annotated[bool, typer.Option("--thorough", help="use 50,000 texts for each property")] = False,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="the seed of the generated texts")] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="fail if a stable rule never fires")] = False,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="fail if there are new hits in a clean corpus")
    ] = None,
    write_baseline: Annotated[bool, typer.Option("--write-baseline", help="accept the current hits, in FILE.hits.json")] = False,
    *,
    usual: Usual,
) -> int:
    """Test rule packs: their examples, general properties, and their time. Exits with 1 if a test fails.

    A clean corpus is a file of turns in which no rule should fire: one a line, or JSON lines with "text" and "role".

    Example: ethos rules test my-rules.toml --coverage
    """
    from ethos.edge.cli.workbench import bench  # noqa: PLC0415
    from ethos.edge.jsonio.shapes import plain  # noqa: PLC0415 (for this command alone)

    if write_baseline and baseline is None:
        raise refuse("usage", "--write-baseline needs the corpus", hint="ethos rules test --baseline clean.txt --write-baseline")
    cases = examples or (bench.THOROUGH if thorough else bench.CASES)
    options = bench.BenchOptions(cases, seed, rule, coverage, baseline, write_baseline)
    with usual.connect() as connection:
        tried = _read_well(lambda: bench.try_packs(_there(paths), _in_force(connection), _proofs(connection), options), baseline)
    if rule and not tried.rules and not tried.failed:
        raise refuse("not-found", f"there is no rule {rule}", hint="an id has the form PACK/RULE")
    if usual.as_json:
        print(report.as_json({**plain(tried), "failed": tried.failed}))
    else:
        _tell(tried.problems)
        usual.show({}, list(bench.lines(tried)))
    return report.FAILED if tried.failed else report.DONE


@rules_app.command("explain", short_help="show what rules read in a text, and what they miss")
@command
def explain(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="the text to explain")],
    speaker: Annotated[str, typer.Option("--speaker", metavar="NAME", help="the name of the speaker")] = "user",
    role: Annotated[Role, typer.Option("--role", help="the role of the speaker")] = "user",
    rules: Beside = None,
    *,
    usual: Usual,
) -> int:
    """Show what the rules read in a text and where, and what they almost read and why not.

    A weak claim is kept, and not held until enough turns say it. With clause rules, the clauses come last. With -v, literals and patterns
    without a match are shown too.

    Example: ethos rules explain "We decided to use Postgres, maybe."
    """
    from ethos.core.facts.holding import is_weak, repetitions_needed  # noqa: PLC0415 (for this command alone)
    from ethos.core.rules.explain import explain as explained  # noqa: PLC0415 (as above)
    from ethos.core.rules.matcher import LEAST_ORIGIN  # noqa: PLC0415
    from ethos.core.text.language.phrasing import phrase  # noqa: PLC0415
    from ethos.edge.jsonio.shapes import claim_data, plain  # noqa: PLC0415

    with usual.connect() as connection:
        in_use = _changed(connection, rules).rules if rules else connection.rulebook.rules
        found = explained(in_use, text, role=role, speaker=speaker, origin=min(LEAST_ORIGIN[role], Origin.USER))
        settings = connection.settings.consolidation
    claims = [
        {
            **claim_data(claim),
            "modifiers": list(claim.modifiers),
            "statement": claim.told or phrase(claim.subject, claim.predicate, claim.object, claim.polarity, speaker, claim.purpose or ""),
            "grade": "weak" if (weak := is_weak(claim, settings.min_confidence)) else "held",
            "needed": repetitions_needed(claim.confidence, settings) if weak else 1,
        }
        for claim in found.claims
    ]
    if usual.as_json:
        candidates = [
            {**plain(each), "claim": {**claim_data(each.claim), "modifiers": list(each.claim.modifiers)} if each.claim else None}
            for each in found.candidates
        ]
        hits = [plain(each) for each in found.literals]
        literals = sorted({each.literal for each in found.literals if each.rules})
        clauses = [plain(each) for each in found.clauses]
        print(report.as_json({"claims": claims, "literals": literals, "hits": hits, "candidates": candidates, "clauses": clauses}))
        return report.DONE
    from ethos.edge.render import rules as rule_story  # noqa: PLC0415 (rich, where a tree is shown)
    from ethos.edge.render import tables, why  # noqa: PLC0415 (rich, where a tree is shown)

    shown = tables.console()
    for each in (*why.claims(claims, text), *rule_story.explained(found, text, verbose=usual.verbose)):
        shown.print(each)
    if in_use.reads_clauses or usual.verbose:
        for clause in found.clauses:
            shown.print(rule_story.clause(clause))
    return report.DONE


@rules_app.command("words", short_help="show the word classes of a word and the rules it can start")
@command
def words(
    word: Annotated[str, typer.Argument(metavar="WORD", help="the word, in any form")],
    rules: Beside = None,
    *,
    usual: Usual,
) -> int:
    """Show the word classes of a word: its base form as a verb, its classes in the lexicon, and the rules that it concerns.

    These are the clause rules that its verb opens, and the pattern rules of which a pattern looks for it.

    Example: ethos rules words joined
    """
    from ethos.core.text.language.lexicon import word_classes  # noqa: PLC0415 (the lexicon, for this command alone)
    from ethos.core.text.language.tagging import NAMES, possible_tags, verb_of  # noqa: PLC0415 (as above)

    said = word.strip().lower()
    if not said or len(said.split()) > 1:
        raise refuse("usage", "give one word", hint="ethos rules words joined")
    with usual.connect() as connection:
        in_use = _changed(connection, rules).rules if rules else connection.rulebook.rules
    tags = possible_tags(said)
    verb = verb_of(said) if set(tags) & set("VzdngbBHY") else ""
    classes = sorted(name for name, members in word_classes().items() if {said, verb} & members)
    data = {"word": said, "may_be": [NAMES[tag] for tag in tags], "verb": verb, "classes": classes, "rules": list(in_use.opened_by(verb))}
    data["patterns"] = list(in_use.looked_for_by({said}))
    lines = [f"{report.clean(said)}: {' or '.join(data['may_be'])}" + (f", of the verb {report.clean(verb)}" if verb else "")]
    lines += [f"classes: {', '.join(classes)}"] if classes else []
    lines += [f"opens: {', '.join(data['rules'])}"] if verb and data["rules"] else []
    lines += [f"patterns look for it: {', '.join(data['patterns'])}"] if data["patterns"] else []
    return usual.show(data, lines)


@rules_app.command("coverage", short_help="count how often each rule fires in a file of turns")
@command
def coverage(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the turns: one a line, or JSON lines with text and role")],
    silent: Annotated[bool, typer.Option("--silent", help="include rules that never fire")] = False,
    rules: Beside = None,
    *,
    usual: Usual,
) -> int:
    """Count for each rule: matches in a file of turns, overlaps, contradictions, how many of its claims the other reader
    makes too, and how its claims were answered.

    Example: ethos rules coverage talk.jsonl
    """
    from ethos.edge.cli.workbench.corpus import corpus_report  # noqa: PLC0415
    from ethos.edge.cli.workbench.sets import RuleError, RuleSet  # noqa: PLC0415
    from ethos.edge.jsonio.shapes import plain  # noqa: PLC0415 (for this command alone)

    with usual.connect() as connection:
        try:
            packs = _beside(connection, rules) if rules else _in_force(connection)
            found = _read_well(
                lambda: corpus_report(RuleSet(packs, _proofs(connection), clauses=connection.settings.rules.clauses), file), file
            )
        except RuleError as error:
            raise refuse("bad-input", str(error), hint="ethos rules check") from None
        standings = connection.ask("standings")["rules"]
    if usual.as_json:
        tallies = [{**plain(tally), "standing": standings.get(tally.rule)} for tally in found.tallies]
        print(report.as_json({"turns": found.turns, "covered": found.covered, "rules": tallies}))
        return report.DONE
    from ethos.edge.render import rules as rule_story  # noqa: PLC0415 (rich, where a table is shown)
    from ethos.edge.render import tables  # noqa: PLC0415 (rich, where a table is shown)

    share = found.covered / found.turns if found.turns else 0.0
    print(
        f"{report.plural(found.turns, 'turn')}, {found.covered:,} with a claim ({share:.1%}), "
        f"{len(found.silent)} of {report.plural(len(found.tallies), 'rule')} silent"
    )
    tables.console().print(
        rule_story.covered([each for each in found.tallies if each.claims or silent or each.rule in standings], standings)
    )
    return report.DONE


@rules_app.command("replay", short_help="compare other rules on everything captured")
@command
def replay(
    rules: Annotated[Path, typer.Option("--rules", metavar="DIR", help="the rule files; a pack of the same name is replaced")],
    *,
    usual: Usual,
) -> int:
    """Show what other rules would have read in every captured episode: facts gained, lost, changed. Change nothing.

    Example: ethos rules replay --rules my-rules
    """
    from ethos.edge.cli import replay as replaying  # noqa: PLC0415 (for this command alone)
    from ethos.edge.jsonio.shapes import plain  # noqa: PLC0415
    from ethos.edge.render import rules as rule_story  # noqa: PLC0415

    with usual.connect() as connection:
        found = replaying.replay(connection.service.ethos, connection.rulebook.rules, _changed(connection, rules).rules)
    if usual.as_json:
        pairs = [{"before": plain(each.before), "after": plain(each.after)} for each in found.changed]
        print(report.as_json({"episodes": found.episodes, "gained": plain(found.gained), "lost": plain(found.lost), "changed": pairs}))
    elif not usual.quiet:
        print("\n".join(rule_story.replayed(found)))
    return report.DONE


@rules_app.command("promote", short_help="add a rejected claim as a counter-example")
@command
def promote(
    question: Annotated[str, typer.Argument(metavar="ID", help="the id of an answered question; `ethos inbox --resolved` lists them")],
    misread: Annotated[
        bool | None, typer.Option("--misread/--outdated", help="nobody said it; or it was true once, and then nothing is changed")
    ] = None,
    pack: Annotated[Path | None, typer.Option("--pack", metavar="FILE", help="your pack to write to")] = None,
    *,
    usual: Usual,
) -> int:
    """Add a claim that you rejected as a counter-example of the rule that misread it, and lower the trust in that rule.

    A claim that was true once was read correctly, so the rule stays as it is. Without --misread or --outdated you are asked.

    Your own rule gets the counter-example in its file; a shipped rule gets an override in rules.d/local.toml beside the store.

    Example: ethos rules promote c-7m2k9q0xw4 --misread
    """
    from ethos.edge import rulebook, wiring  # noqa: PLC0415 (for this command alone)
    from ethos.edge.rulebook import counterexample  # noqa: PLC0415

    with usual.connect() as connection:
        told = connection.ask("rejected", question=question)
        book, name = connection.rulebook, told["fact"]["rule"]
        if not (_was_misread(told) if misread is None else misread):
            kept = [f"nothing was changed: {name} read what was so then"]
            return usual.show({"question": told["question"], "rule": name, "applied": False, "outdated": True}, kept)
        rule = next((each for each in book.rules.rules if each.id == name), None)
        if rule is None:
            raise refuse("not-found", f"the rule {name} is not loaded", hint="a rule that is not loaded needs no counter-example")
        home = next((each.path for each in book.packs if each.name == name.partition("/")[0]), rulebook.shipped_rules())
        own = home if home.parent != rulebook.shipped_rules() else wiring.learned_pack(connection.settings)
        path = pack.absolute() if pack else own
        example = counterexample.Misread(told["text"], told["start"], told["end"], told["role"])
        added = counterexample.add(path, rule, example, _in_force(connection), _proofs(connection))
        data = {**connection.ask("promote", question=question, misread=True), "pack": str(path), "added": added}
        daemon = connection.ask("status")["daemon"] if connection.listens() else None
        in_use = path in rulebook.files_of(_in_force(connection))
    lines = [f"{name} no longer reads {report.clean(told['text'][told['start'] : told['end']], 200)!r}: {path}"]
    lines.append(f"its next claims count x{data['standing']['weight']:.2f}")
    if daemon:
        lines.append(f"the daemon still reads by the rules as they were -> kill -HUP {daemon['pid']}")
    if not in_use:
        lines.append(f'the pack is not in use yet -> [rules] packs = ["{path}"]')
    return usual.show(data, lines)


def _was_misread(told: Json) -> bool:
    """Ask the person whether what they turned down was misread, or is only outdated. Raises Refused where nobody is there to ask."""
    hint = "--misread: nobody said it, and the rule is trusted less; --outdated: it was true once"
    if sys.stdin is None or not sys.stdin.isatty():
        raise refuse("needs-person", "was it misread, or is it only outdated?", hint=hint)
    words = report.clean(told["text"][told["start"] : told["end"]], 200)
    print(f'"{words}" was read as: {report.clean(told["fact"]["statement"], 200)}', file=sys.stderr)
    print("(m)isread: nobody said so; or (o)utdated: it was so, and is so no longer? ", end="", file=sys.stderr, flush=True)
    said = sys.stdin.readline().strip().casefold()[:1]
    if said not in {"m", "o"}:
        raise refuse("needs-person", "nothing was done", hint=hint)
    return said == "m"


def _beside(connection: Connection, changed: Path) -> tuple[Path, ...]:
    """Return the files and folders of the rules in force, with these instead of those of the same packs, else behind them."""
    from ethos.edge import rulebook  # noqa: PLC0415 (for these commands alone)
    from ethos.edge.cli import replay as replaying  # noqa: PLC0415 (for these commands alone)
    from ethos.edge.cli.workbench.rule_files import pack_name  # noqa: PLC0415

    (whole,) = _there([changed])
    in_force = _in_force(connection)
    names = {path: pack_name(path) for path in rulebook.files_of([*in_force, whole]) if path.is_file()}
    return replaying.changed_paths(in_force, whole, {path: name for path, name in names.items() if name})


def _changed(connection: Connection, rules: Path) -> Rulebook:
    """Return what would be in force with these rules. Refuses rules with a mistake."""
    from ethos.edge import rulebook  # noqa: PLC0415 (for these commands alone)

    wanted = connection.settings.rules.clauses
    book = rulebook.load(_beside(connection, rules), cache=_proofs(connection), in_use=False, clauses=wanted)
    if fatal := next((problem for problem in book.problems if problem.fatal), None):
        raise refuse("bad-input", str(fatal), hint=f"ethos rules check {rules}")
    return book


def _there(paths: list[Path] | None) -> list[Path]:
    """Return the paths, whole; refuses one that is not there, and a folder without rules."""
    if missing := next((path for path in paths or () if not path.exists()), None):
        raise refuse("not-found", f"no such file or folder: {missing}", hint="name a rule file (.toml) or a folder of them")
    if empty := next((path for path in paths or () if path.is_dir() and not any(path.glob("*.toml"))), None):
        raise refuse("not-found", f"no rule files in this folder: {empty}", hint="only *.toml files directly in it are read")
    return [path.absolute() for path in paths or ()]


def _in_force(connection: Connection) -> tuple[Path, ...]:
    """Return the files and folders of the rules in force."""
    from ethos.edge import wiring  # noqa: PLC0415 (with the store, for these commands alone)

    return wiring.rule_paths(connection.settings)


def _proofs(connection: Connection) -> Path:
    """Return where what was found out about packs is kept."""
    return connection.state / "rules"


def _read_well(work: Callable[[], Result], file: Path | None) -> Result:
    """Return the turns of a corpus. Refuses one that cannot be read."""
    try:
        return work()
    except (OSError, ValueError) as error:
        words = (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
        hint = "name a text file, one turn a line, or JSON lines with text and role; for transcripts: capture them, then ethos rules replay"
        raise Refused(Problem("bad-input", words, hint, str(file or ""))) from None


def _tell(problems: Sequence[RuleProblem]) -> None:
    for problem in problems:
        print("\n".join(report.clean_line(line) for line in str(problem).split("\n")))
