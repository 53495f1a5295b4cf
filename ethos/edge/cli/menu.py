"""The list of all commands with one line of help each, for `ethos --help`, which must not wait for typer, and for typer itself."""

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
            ("projects", "the projects, and how much is held in each"),
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
        "Connect agents",
        (
            ("connect", "write our entries into an agent's configuration, or take them out"),
            ("hook", "serve an event of an agent; agents call it"),
            ("mcp", "serve MCP on standard input and output; an agent starts it"),
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
MEANT = {  # what people type elsewhere -> what to type here
    **dict.fromkeys(("search", "find", "query", "ask", "grep", "get"), 'ethos recall "which database"'),
    **dict.fromkeys(("list", "ls", "fact", "memories", "memory", "dump"), "ethos facts"),
    **dict.fromkeys(("show", "explain", "source"), "ethos why f-...; what rules read in a text: ethos rules explain TEXT"),
    **dict.fromkeys(("log", "history", "runs"), "ethos status --runs, and ethos facts --history"),
    **dict.fromkeys(("add", "remember", "ingest", "note", "init"), "ethos capture PATH, then ethos consolidate"),
    **dict.fromkeys(("learn", "dream", "sync"), "ethos consolidate"),
    **dict.fromkeys(("delete", "remove", "rm", "erase", "purge", "reset"), "ethos forget f-... --dry-run"),
    **dict.fromkeys(("correct", "edit", "fix", "update"), "say what is so in a talk, or: ethos forget f-... --misread --dry-run"),
    **dict.fromkeys(("accept", "reject", "resolve", "approve"), "ethos answer c-... keep-new"),
    **dict.fromkeys(("review", "questions", "conflicts"), "ethos inbox"),
    **dict.fromkeys(("revert", "rollback"), "ethos undo r-...; ethos status --runs names the runs"),
    **dict.fromkeys(("start", "daemon", "serve"), "ethos run, or ethos service install"),
    **dict.fromkeys(("stop", "restart"), "end `ethos run` with Ctrl-C, a service with systemctl --user stop ethos"),
    **dict.fromkeys(("install", "uninstall"), "ethos service install, ethos service uninstall; ethos doctor names the folders"),
    **dict.fromkeys(("config", "settings"), "ethos status -v"),
    "version": "ethos --version",
}
NESTED = frozenset({"rules", "service"})  # these have subcommands


def page() -> str:
    """Return the text of `ethos --help`."""
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
    """Return the arguments with the command first: `ethos --config F -q status` becomes `ethos status --config F -q`."""
    ahead = 0
    while ahead < len(arguments) and arguments[ahead].startswith("-"):
        ahead += 2 if arguments[ahead] == "--config" else 1
    command = arguments[ahead : ahead + 1]
    nested = arguments[ahead + 1 : ahead + 2] if command and command[0] in NESTED and arguments[ahead + 1 : ahead + 2] else []
    if not command or (nested and nested[0].startswith("-")):
        return arguments
    return [*command, *nested, *arguments[:ahead], *arguments[ahead + 1 + len(nested) :]]
