"""The menu: every command with one line of help. It feeds `ethos --help`, which must not wait for typer, and typer itself."""

from __future__ import annotations

GROUPS = (
    (
        "Bring in and learn",
        (
            ("run", "run the daemon in the foreground; a systemd unit starts it like this"),
            ("capture", "bring in transcripts; doing it again is harmless"),
            ("consolidate", "read what is new now, idle or not"),
            ("extract", "what the rules read in episode lines; nothing is kept"),
        ),
    ),
    (
        "Ask",
        (
            ("recall", "find episodes and facts by their words"),
            ("facts", "what is held"),
            ("why", "what led to a fact, or came of an episode or a question"),
            ("diff", "what a run changed"),
        ),
    ),
    (
        "Decide",
        (
            ("inbox", "the questions that wait for you"),
            ("answer", "answer one of them: keep-old, keep-new, keep-both; accept, reject"),
            ("undo", "take back what a run did, whatever came after it"),
            ("forget", "erase something in every file, with proof"),
        ),
    ),
    (
        "Operate",
        (
            ("status", "the memory in numbers, and whether a daemon runs"),
            ("doctor", "look for what is wrong, and say what to do"),
            ("backup", "copy the store to a safe place, and look the copy over"),
            ("restore", "put a backup in the store's place"),
            ("export", "write everything to a file, or what is held as notes"),
            ("import", "bring in what another memory exported"),
            ("rules", "check and prove rule packs, see what they read, correct them"),
            ("service", "print or install the systemd unit"),
        ),
    ),
)

SUMMARIES = {name: summary for _, commands in GROUPS for name, summary in commands}
NESTED = frozenset({"rules", "service"})  # these have commands of their own


def page() -> str:
    """What `ethos --help` prints."""
    lines = [
        "Ethos: a local memory for AI agents. It keeps what was said, and learns from it while the machine is idle.",
        "",
        "Usage: ethos COMMAND [OPTIONS]",
    ]
    for title, commands in GROUPS:
        lines += ["", f"{title}:", *(f"  {name:<12} {summary}" for name, summary in commands)]
    return "\n".join(
        [
            *lines,
            "",
            "Options of most commands:",
            "  --config FILE  the configuration to use, instead of the one that is found",
            "  -q, --quiet    say only what went wrong",
            "  -v, --verbose  say more; show where in the program an error came up",
            "  --help         what the command takes, with an example",
            "",
            "  --version      the version of this program",
            "",
            "Exit codes: 0 done, 1 failed, 2 usage, 3 a person is needed. With --json, an error is JSON on standard output too.",
            "A first walk: ethos capture talk.jsonl && ethos consolidate && ethos facts",
        ]
    )


def in_order(arguments: list[str]) -> list[str]:
    """`ethos --config F -q status` as `ethos status --config F -q`: what every command takes may stand before it, too."""
    ahead = 0
    while ahead < len(arguments) and arguments[ahead].startswith("-"):
        ahead += 2 if arguments[ahead] == "--config" else 1
    command = arguments[ahead : ahead + 1]
    nested = arguments[ahead + 1 : ahead + 2] if command and command[0] in NESTED and arguments[ahead + 1 : ahead + 2] else []
    if not command or (nested and nested[0].startswith("-")):
        return arguments
    return [*command, *nested, *arguments[:ahead], *arguments[ahead + 1 + len(nested) :]]
