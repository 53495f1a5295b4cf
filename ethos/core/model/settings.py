"""Settings: one frozen dataclass for each table of config.toml. The defaults stand here and nowhere else.

`edge/config/loading.py` fills them from a file and the environment; a test holds config.toml, the annotated default, equal to these.
Paths are text as a person wrote them; `edge/config/loading.py` makes them absolute (`~` expanded, relative to the file they stand in).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

STABILITY_DAYS: Mapping[str, float] = MappingProxyType(
    {
        "episode": 7.0,
        "signal": 2.0,
        "turn_summary": 7.0,
        "trade_entry": 21.0,
        "trade_close": 21.0,
        "market_event": 10.0,
        "watchpoint": 5.0,
        "session_summary": 14.0,
        "thesis": 30.0,
        "fact": 60.0,
        "negation": 60.0,
        "lesson": 90.0,
        "preference": 180.0,
        "decision": 180.0,
        "playbook": 180.0,
        "profile": 180.0,
    }
)


@dataclass(frozen=True, slots=True)
class EthosSettings:
    """[ethos]: whose memory this is and where it lives."""

    user: str = "default"
    database: str = "ethos.db"
    state: str = "state"  # lock files, keys, the history of the review file, the record of exports
    log: Literal["auto", "human", "json"] = "auto"  # auto: human on a terminal, JSON under systemd
    log_level: Literal["debug", "info", "warning", "error"] = "info"


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """[capture]: what the daemon tails, how long a line and a turn may be, and whether secrets are masked."""

    follow: tuple[str, ...] = ()
    follow_seconds: float = 2.0  # how often growing files are looked at
    max_line_bytes: int = 16_777_216
    max_text_chars: int = 1_000_000
    mask_secrets: bool = True


@dataclass(frozen=True, slots=True)
class ConsolidationSettings:
    """[consolidation]: when a cycle runs and what it selects (E-32)."""

    interval_minutes: float = 15.0
    idle_threshold_seconds: float = 60.0
    cpu_threshold_percent: float = 80.0
    on_battery: bool = True  # False: not idle while the machine runs on battery
    importance_threshold: float = 0.8
    repetition_threshold: int = 3
    agreement_threshold: int = 2  # episodes that make what one reader alone reads a fact
    retrieval_threshold: int = 5
    batch_size: int = 100  # episodes a unit, up to 32 times as many of what comes in late; one unit is one transaction (E-13)
    max_attempts: int = 3  # then the episode is set aside
    min_confidence: float = 0.3  # a weaker claim is not held at once


@dataclass(frozen=True, slots=True)
class SleepSettings:
    """[sleep]: when a night runs, and for which days (L-01, X-8)."""

    enabled: bool = True  # False: only `ethos sleep` runs one
    hour: str = "03:00"  # of the next day; at the first idle moment from then on
    zone: str = ""  # whose days are slept on, by its IANA name; empty: the machine's
    catch_up_days: int = 7  # nights that were missed are made up for, this many days back
    shadow_nights: int = 3  # the first nights that the daemon runs change nothing, and say what they would change
    most_changes: int = 20_000  # a night of the daemon that would change more records changes none
    reports: str = "reports"  # the folder of the reports, a Markdown file a night


@dataclass(frozen=True, slots=True)
class ConflictSettings:
    """[conflict_resolution]: how two claims side by side are weighed (E-33)."""

    auto_supersede_confidence_delta: float = 0.15
    review_inbox: str = "inbox/memory-review.md"
    literal: bool = False  # the runbook to the letter: everything single-valued, no slots
    containment: Literal["token", "substring"] = "token"  # X-E2


@dataclass(frozen=True, slots=True)
class RulesSettings:
    """[rules]: the packs. The shipped ones are always there; these come after them."""

    packs: tuple[str, ...] = ()  # files or folders of packs of the user's own
    clauses: bool = True  # a second reader, by word classes and clauses: what both read is held, what one reads alone may be weak
    languages: tuple[str, ...] = ("en",)  # of the shipped packs
    region: str = ""  # two letters of ISO 3166: where telephone numbers without a + are of


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """[recall]: what retrieval returns."""

    limit: int = 10
    max_limit: int = 100
    semantic: bool = False  # needs the extra `semantic`
    encoder: str = ""  # a folder with a BERT-type encoder, in place of the word vectors of the extra


@dataclass(frozen=True, slots=True)
class SummarySettings:
    """[summaries]: how a night tells sessions (G-05 to G-10, X-G1, X-G2)."""

    ratio: int = 8  # words said for each that is told
    chunk_size: int = 20  # episodes
    threshold: int = 8  # episodes; a session with fewer may be told in more than its share of words
    least_words: int = 16  # that such a session may be told in
    max_words: int = 150  # however long a session is
    duplicate_likeness: float = 0.9  # a summary that says what an earlier one says adds its episodes to that one
    max_episodes: int = 10_000  # a night; the rest in later ones


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    """[profile]: how much is told of a user (G-12, G-13)."""

    max_bytes: int = 4_096  # of the profile
    block_bytes: int = 2_048  # of the block that `ethos profile --write` keeps in a file


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """[decay]: how salience fades (E-06; docs/requirements.md, Settled)."""

    fade_below: float = 0.05
    stability_days: Mapping[str, float] = field(default_factory=lambda: STABILITY_DAYS)


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """[replay]: the first stage of a night (L-03 to L-31)."""

    salience_weight: float = 0.40  # of a breakthrough's score; the four sum to 1
    emotion_weight: float = 0.25
    valence_weight: float = 0.15
    importance_weight: float = 0.20
    percentile: float = 80.0  # of the day's scores, from which on an episode is a breakthrough
    few: int = 5  # episodes; on a day with fewer a breakthrough must lie above the mean as well
    literal: bool = False  # the percentile alone, to the letter of the design
    max_chain_hours: float = 12.0
    max_chain_length: int = 15  # the breakthrough and the latest 14 before it
    min_chain_length: int = 2
    max_candidates: int = 256  # episodes that are looked at for one chain
    similarity: float = 0.65  # to the breakthrough
    topic_similarity: float = 0.60  # to the episode that follows in the chain
    min_similarity: float = 0.60  # below it nothing is linked by its words
    topic_gap_seconds: float = 3_600.0
    shared_tags: int = 2
    boost_factor: float = 0.25
    max_boost: float = 0.20
    tau_hours: float = 6.0  # in which the nearness to the breakthrough falls to 1/e
    min_salience: float = 0.30  # below it nothing is boosted
    old_ratio: float = 0.3  # of what is replayed, old memories
    max_old_ratio: float = 0.4
    old_salience: float = 0.70  # consolidated, at least
    old_days_from: float = 7.0
    old_days_to: float = 90.0
    refresh: float = 0.01  # what replay adds to an old memory, once a date
    trace_tau_hours: float = 3.0  # the gap at which a trace is half as strong
    feeling_step: float = 0.5  # how far each word of a feeling moves it to its end


@dataclass(frozen=True, slots=True)
class LessonsSettings:
    """[lessons]: which episodes are compared, and what makes a lesson of it (H-04 to H-39)."""

    sources: tuple[str, ...] = ("trade_entry", "trade_close", "trade_modify", "turn_summary", "signal", "episode")  # kinds of episodes
    look_back_days: float = 14.0  # in which a group must have had episodes
    min_group: int = 3  # episodes
    max_groups: int = 5  # a night, the largest first
    per_kind: int = 50  # episodes of a kind that a model is told of, and that count as reviewed
    prompt_episodes: int = 15  # of a group, the newest
    history_days: float = 365.0  # how far back episodes are compared
    history_episodes: int = 3_000  # the newest of them
    duplicate_at: float = 0.95  # likeness from which on a lesson is the same as another,
    connect_at: float = 0.90  # and from which on it is connected to it
    generalizes_weight: float = 0.70  # of an edge to an episode that a lesson rests on,
    relates_to_weight: float = 0.50  # to a lesson that is like it,
    causes_weight: float = 0.80
    strengthen_by: float = 0.05  # what each later night with new episodes adds
    playbook_cases: int = 12  # cases from which on a lesson may become a playbook,
    playbook_effect: float = 0.2  # if the interval of its effect lies beyond this
    min_support: int = 3  # cases on each side, in the earlier and in the later observations (X-H5)
    min_effect: float = 0.1  # difference of the shares of success in all observations
    held_out: float = 0.45  # share of the observations, the latest, that the first look does not see
    discovery_rate: float = 0.05  # expected share of false ones among what the first look finds;
    block_level: float = 0.2  # of the test that allows neighbours to depend on each other, in each look
    confirm_level: float = 0.1  # of the second look; times the rate of the first, plus the next, the chance of a false lesson in a night
    whole_level: float = 0.04  # of a test of all observations, every comparison counted, that needs no suggestion by the earlier ones
    whole_block_level: float = 0.002  # of its test that allows neighbours to depend on each other
    adds_z: float = 2.0  # standard errors by which a condition must still tell something beside a better one
    retire_at: float = 4.8  # log of the odds by which new episodes must speak against a lesson that is held,
    revive_at: float = 3.0  # and for one that was retired


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """[llm]: a language model that a night may ask about groups of episodes. Without an endpoint there is none."""

    endpoint: str = ""  # of OpenAI's chat completions, up to and without /chat/completions
    model: str = ""
    key_variable: str = "LLM_API_KEY"  # the environment variable with the key, if one is needed
    timeout_seconds: float = 60.0  # of a call
    max_tokens: int = 800  # of an answer (H-08)
    read_sessions: bool = False  # it is asked what was learned in a session, too


@dataclass(frozen=True, slots=True)
class BankSettings:
    """[bank]: the reasoning bank (R-01 to R-35)."""

    limit: int = 5
    max_limit: int = 20
    min_confidence: float = 0.5
    project_weight: float = 1.0  # of the scopes
    team_weight: float = 0.9
    org_weight: float = 0.8
    consolidated_boost: float = 1.2
    patience: int = 10  # times that a memory is served before it has to have helped
    recorded_confidence: float = 0.8  # initial confidences
    success_confidence: float = 0.7
    failure_confidence: float = 0.6
    other_confidence: float = 0.5
    signal_days: float = 30.0
    memories_per_session: int = 3
    similarity_threshold: float = 0.8
    consensus_threshold: int = 2
    prune_threshold: float = 0.3
    prune_signals: int = 3
    window_hours: float = 24.0  # between two consolidations of a project
    scheduler_enabled: bool = True
    scheduler_interval_hours: float = 24.0
    timeout_minutes: float = 10.0


@dataclass(frozen=True, slots=True)
class SocketSettings:
    """[socket]: the Unix socket. An empty path means the runtime directory."""

    path: str = ""
    max_line_bytes: int = 65_536
    max_connections: int = 64  # at a time; who waits for another's cycle does not count, and others wait to be accepted
    max_requests: int = 1_000  # on one connection
    line_seconds: float = 2.0  # deadline for a whole line
    wait_seconds: float = 30.0  # how long a caller waits for another's pass before it gets `busy`


@dataclass(frozen=True, slots=True)
class InboxSettings:
    """[inbox]: the review file's own habits and what is shown of it; its path is `conflict_resolution.review_inbox`."""

    settle_seconds: float = 3.0  # a file younger than this is still being written
    new_a_day: int = 3  # of the questions of a day, those shown first; 0: all


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """[backup]: copies of the store that the daemon makes after a cycle."""

    every_hours: float = 24.0  # 0: none by itself
    keep_daily: int = 7
    keep_weekly: int = 4


@dataclass(frozen=True, slots=True)
class Settings:
    """All of config.toml."""

    ethos: EthosSettings = field(default_factory=EthosSettings)
    capture: CaptureSettings = field(default_factory=CaptureSettings)
    consolidation: ConsolidationSettings = field(default_factory=ConsolidationSettings)
    sleep: SleepSettings = field(default_factory=SleepSettings)
    conflict_resolution: ConflictSettings = field(default_factory=ConflictSettings)
    rules: RulesSettings = field(default_factory=RulesSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    summaries: SummarySettings = field(default_factory=SummarySettings)
    profile: ProfileSettings = field(default_factory=ProfileSettings)
    decay: DecaySettings = field(default_factory=DecaySettings)
    replay: ReplaySettings = field(default_factory=ReplaySettings)
    lessons: LessonsSettings = field(default_factory=LessonsSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    bank: BankSettings = field(default_factory=BankSettings)
    socket: SocketSettings = field(default_factory=SocketSettings)
    inbox: InboxSettings = field(default_factory=InboxSettings)
    backup: BackupSettings = field(default_factory=BackupSettings)
