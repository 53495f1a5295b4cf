"""The menu: every command with one line of help. `ethos --help` prints it without loading typer; typer uses the same lines."""

from __future__ import annotations

GROUPS = (
    (
        "Bring in and learn",
        (
            ("run", "run the daemon in the foreground, as the systemd unit does"),
            ("capture", "read transcripts; repeating it is harmless"),
            ("consolidate", "learn from new episodes now, idle or not"),
            ("sleep", "replay a day, learn lessons, write summaries; the daemon does it at 03:00"),
            ("extract", "print what the rules read in episode lines; store nothing"),
        ),
    ),
    (
        "Ask",
        (
            ("recall", "find episodes and facts by words"),
            ("facts", "list what is known"),
            ("profile", "show what is known about you, or write it to CLAUDE.md"),
            ("projects", "list the projects and their sizes"),
            ("lessons", "list lessons from many episodes, with their counts"),
            ("memory", "the reasoning bank: search, record, rate and merge memories"),
            ("why", "explain a fact, an episode or a question"),
            ("diff", "show what a run changed"),
            ("report", "show what a night did; --html writes it as a page"),
        ),
    ),
    (
        "Decide",
        (
            ("inbox", "list open questions"),
            ("answer", "answer a question: keep-old, keep-new, keep-both; accept, reject"),
            ("retire", "retire a fact that is not true; its turn stays"),
            ("correct", "put a fact right: your words supersede it"),
            ("undo", "undo a run, even after later ones"),
            ("forget", "erase something from every known file, with a receipt"),
        ),
    ),
    (
        "Connect agents",
        (
            ("connect", "connect an agent, or disconnect it"),
            ("hook", "handle an agent's event; agents call this"),
            ("mcp", "serve MCP on standard input and output; agents start this"),
        ),
    ),
    (
        "Operate",
        (
            ("status", "show sizes, the last run and the daemon"),
            ("doctor", "find problems and print what to type"),
            ("backup", "copy the store and check the copy"),
            ("restore", "replace the store with a backup"),
            ("export", "write everything as JSON lines, or facts as notes"),
            ("import", "import an export of another memory"),
            ("models", "list the models that rank by meaning or read at night"),
            ("rules", "check, test, try and correct rule packs"),
            ("service", "print, install or check the systemd units"),
        ),
    ),
)

SUMMARIES = {name: summary for _, commands in GROUPS for name, summary in commands}
MEANT = {  # what people type in other programs -> what to type here
    **dict.fromkeys(("search", "find", "query", "ask", "grep", "get"), 'ethos recall "which database"'),
    **dict.fromkeys(("list", "ls", "fact", "memories", "dump"), "ethos facts"),
    **dict.fromkeys(("show", "explain", "source"), "ethos why f-...; what rules read in a text: ethos rules explain TEXT"),
    **dict.fromkeys(("persona", "whoami", "about"), "ethos profile"),
    **dict.fromkeys(("log", "history", "runs"), "ethos status --runs, and ethos facts --history"),
    **dict.fromkeys(("add", "remember", "ingest", "note", "init"), "ethos capture PATH, then ethos consolidate"),
    **dict.fromkeys(("learn", "sync"), "ethos consolidate"),
    **dict.fromkeys(("dream", "night"), "ethos sleep --dry-run"),
    **dict.fromkeys(("delete", "remove", "rm", "erase", "purge", "reset"), "ethos forget f-... --dry-run"),
    **dict.fromkeys(("edit", "fix", "update"), 'ethos correct f-... "what holds"'),
    **dict.fromkeys(("retract", "deny", "invalidate"), "ethos retire f-..."),
    **dict.fromkeys(("accept", "reject", "resolve", "approve"), "ethos answer c-... keep-new"),
    **dict.fromkeys(("review", "questions", "conflicts"), "ethos inbox"),
    **dict.fromkeys(("revert", "rollback"), "ethos undo r-...; ethos status --runs names the runs"),
    **dict.fromkeys(("start", "daemon", "serve"), "ethos run, or ethos service install"),
    **dict.fromkeys(("stop", "restart"), "end `ethos run` with Ctrl-C, a service with systemctl --user stop ethos"),
    **dict.fromkeys(("install", "uninstall"), "ethos service install, ethos service uninstall; ethos doctor names the folders"),
    **dict.fromkeys(("config", "settings"), "ethos status -v"),
    "version": "ethos --version",
}
NESTED = frozenset({"memory", "rules", "service"})  # these have subcommands


def page() -> str:
    """Return what `ethos --help` prints."""
    lines = [
        "Ethos: a local memory for AI agents. It stores conversations and learns from them while the machine is idle.",
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
            "  --config FILE  the configuration file to use",
            "  -q, --quiet    print errors only",
            "  -v, --verbose  print more; show tracebacks",
            "  --help         show the arguments of a command, with an example",
            "",
            "  --version      print the version",
            "",
            "Exit codes: 0 done, 1 failed, 2 usage, 3 needs a person. With --json, errors are JSON on standard output.",
            "To start: ethos capture talk.jsonl && ethos consolidate && ethos facts",
        ]
    )


def in_order(arguments: list[str]) -> list[str]:
    """Return the arguments with the common options after the command: `--config F -q status` becomes `status --config F -q`.

    A command that has subcommands, alone, is asked for its help.
    """
    if len(arguments) == 1 and arguments[0] in NESTED:
        return [*arguments, "--help"]
    ahead = 0
    while ahead < len(arguments) and arguments[ahead].startswith("-"):
        ahead += 2 if arguments[ahead] == "--config" else 1
    command = arguments[ahead : ahead + 1]
    nested = arguments[ahead + 1 : ahead + 2] if command and command[0] in NESTED and arguments[ahead + 1 : ahead + 2] else []
    if not command or (nested and nested[0].startswith("-")):
        return arguments
    return [*command, *nested, *arguments[:ahead], *arguments[ahead + 1 + len(nested) :]]
