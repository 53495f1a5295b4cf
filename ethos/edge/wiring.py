"""The wiring: the only place where concrete things meet. `build` makes an `Ethos` of a loaded configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ethos.app import Clock, Ethos, Extractor
from ethos.core.model.errors import Refused
from ethos.core.model.settings import RecallSettings, Settings
from ethos.core.ports.language_model import LanguageModel
from ethos.core.ports.store import Store
from ethos.edge.config.clock import SystemClock
from ethos.edge.erasure.known_files import Files
from ethos.edge.exchange.reports import NightReports
from ethos.edge.files import folders, free_space, lease, open_stores, ownership
from ethos.edge.files.mac import Sealing
from ethos.edge.files.outputs import Outputs
from ethos.edge.files.store_files import StoreFiles, files_of
from ethos.edge.inbox import MarkdownInbox
from ethos.store import RunLease, open_copy, open_store
from ethos.store import restore as put_back
from ethos.store import verify as look_over

if TYPE_CHECKING:
    from ethos.core.ports.encoder import Encoder
    from ethos.core.rules.matcher import Rules
    from ethos.edge.rulebook import Rulebook


def build(settings: Settings, rulebook: Rulebook | Callable[[], Rulebook]) -> Ethos:
    """Build the whole memory: store, rules, review file, clock. All paths in `settings` are absolute. Raises `Refused`.

    rulebook: or a function that loads it when it is first needed.
    """
    if (problem := ownership.unsafe(settings)) is not None:
        raise Refused(problem)
    state, files = Path(settings.ethos.state), files_of(settings)
    open_stores.hold(str(files.database))
    held = lease.share(files.database)
    try:
        store = open_store(files.database)
    except BaseException:
        held.close()
        raise
    return Ethos(
        store,
        (lambda: rulebook().rules) if callable(rulebook) else rulebook.rules,
        settings,
        SystemClock(),
        guard=partial(_pass, store, files),
        traces=Files(settings, open_copy),
        seal=Sealing(state),
        reports=NightReports(Path(settings.sleep.reports), state),
        encoder=partial(encoder, settings.recall) if settings.recall.semantic else None,
        model=model(settings),
        review=MarkdownInbox(Path(settings.conflict_resolution.review_inbox), state, settings.inbox.settle_seconds),
        release=held.close,
    )


def model(settings: Settings) -> LanguageModel | None:
    """Return the language model that the user named; by default there is none, and nothing of it is loaded."""
    if not settings.llm.endpoint:
        return None
    from ethos.inference.openai_compatible import OpenAiCompatible  # noqa: PLC0415 (only where there is one)

    return OpenAiCompatible(settings.llm)


def restore(settings: Settings, backup: Path, aside: Path) -> bool:
    """Put a backup in the store's place and keep what was there aside. Raises `Refused` where somebody has it open, OSError."""
    database = files_of(settings).database
    folders.make(database.parent)
    with (
        RunLease(database).hold("a pass is running on this memory"),
        lease.alone(database),
        Outputs(Path(settings.ethos.state)).temporary(database) as fresh,
    ):
        return put_back(backup, database, aside, fresh)


def verify(backup: Path) -> None:
    """Check that this is a sound store that this program can read. Raises `Refused`."""
    look_over(backup)


def encoder(settings: RecallSettings) -> Encoder:
    """Load the encoder in the folder that is named, or else the word vectors of the extra. Raises `Refused`."""
    if settings.encoder:
        from ethos.inference import bert  # noqa: PLC0415 (an extra)

        return bert.BertEncoder(Path(settings.encoder))
    from ethos.inference import word_vectors  # noqa: PLC0415 (an extra)

    return word_vectors.installed()


@contextmanager
def _pass(store: Store, files: StoreFiles) -> Iterator[None]:
    """Hold what a pass needs: room on the disk, and the lease of the store. Raises `Refused`."""
    if (problem := free_space.beside(files).problem) is not None:
        raise Refused(problem)
    with store.run_lease():
        yield


def rule_paths(settings: Settings) -> tuple[Path, ...]:
    """Return the shipped packs, then those of the configuration, then rules.d beside the store, in that order."""
    from ethos.edge.rulebook import shipped_rules  # noqa: PLC0415 (most commands need no rules)

    learned = learned_pack(settings).parent
    return (shipped_rules(), *(Path(pack) for pack in settings.rules.packs), *((learned,) if learned.is_dir() else ()))


def learned_pack(settings: Settings) -> Path:
    """Return the pack of the user's own to which counter-examples of shipped rules are written."""
    return files_of(settings).rules / "local.toml"


def load(
    sources: Sequence[Path], *, cache: Path | None = None, region: str = "", clauses: bool = False, languages: Sequence[str] = ("en",)
) -> Rulebook:
    """Load these packs; see `ethos.edge.rulebook.load`."""
    from ethos.edge import rulebook  # noqa: PLC0415 (as above)

    return rulebook.load(sources, cache=cache, region=region, clauses=clauses, languages=languages)


def rules(settings: Settings) -> Rulebook:
    """Load the rules that are in force."""
    return load(
        rule_paths(settings),
        cache=Path(settings.ethos.state) / "rules",
        region=settings.rules.region,
        clauses=settings.rules.clauses,
        languages=settings.rules.languages,
    )


def apart(settings: Settings, rules: Rules, database: Path, clock: Clock) -> Ethos:
    """Build a separate memory, without a review file, for a trial."""
    own = replace(settings, ethos=replace(settings.ethos, database=str(database), state=str(database.parent)))
    traces, seal = Files(own, open_copy), Sealing(database.parent)
    return Ethos(open_store(database), rules, own, clock, guard=nullcontext, traces=traces, seal=seal)


def reader(settings: Settings, rulebook: Rulebook) -> Extractor:
    """Build what needs no store, for `extract`."""
    return Extractor(rulebook.rules, settings, SystemClock())
