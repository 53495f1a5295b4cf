"""Configuration: where it is found, what it may say, and what is said about a mistake in it."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest

from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.edge.config import loading, paths, ranges

ROOT = Path(__file__).parents[2]
KEYS = [(section, key) for section, keys in loading.TYPES.items() for key in keys]


def other(section: str, key: str) -> tuple[str, Any]:
    """A valid value that is not the default, as a variable says it and as it should come out."""
    wanted, default = loading.TYPES[section][key], getattr(getattr(Settings(), section), key)
    if f"{section}.{key}" in loading.PATHS:
        return ("/a/b,/c", ("/a/b", "/c")) if get_origin(wanted) is tuple else ("/a/b", "/a/b")
    if get_origin(wanted) is Literal:
        choice = next(each for each in get_args(wanted) if each != default)
        return choice, choice
    if get_origin(wanted) is tuple:
        return "a,b", ("a", "b")
    if get_origin(wanted) is not None:
        return '{"signal": 4}', {**default, "signal": 4.0}
    if wanted is bool:
        return ("false", False) if default else ("yes", True)
    if wanted is str:
        text = {"rules.region": "GB", "sleep.hour": "04:30", "sleep.zone": "Europe/Berlin", "llm.endpoint": "http://h/v1"}.get(
            f"{section}.{key}", "somebody"
        )
        return text, text
    number = default / 2 if wanted is float else default + 1
    return str(number), number


def load(tmp_path: Path, text: str, **env: str) -> Settings:
    """The settings of this text, in a file of its own."""
    (tmp_path / "config.toml").write_text(text, "utf-8")
    return loading.load(tmp_path / "config.toml", env={"HOME": "/home/ada", **env}, cwd=tmp_path).settings


def refusal(tmp_path: Path, text: str, **env: str) -> tuple[str, str, str]:
    """What, where (without the folder) and the hint of the refusal of this text."""
    with pytest.raises(Refused) as caught:
        load(tmp_path, text, **env)
    assert caught.value.problem.code == "bad-config"
    problem = caught.value.problem
    return problem.what, problem.where.removeprefix(f"{tmp_path}/"), problem.hint


def plain(settings: Settings) -> Any:
    """As TOML has it: lists, and dicts of their own."""
    return {
        section: json.loads(json.dumps({key: getattr(getattr(settings, section), key) for key in keys}, default=dict))
        for section, keys in loading.TYPES.items()
    }


def test_e32_e33_config_toml_equals_the_defaults() -> None:
    """The annotated file at the top says what the dataclasses say: neither can change alone (E-32, E-33)."""
    written = tomllib.loads((ROOT / "config.toml").read_text("utf-8"))
    assert written == plain(Settings())
    assert written["consolidation"]["interval_minutes"] == 15
    assert written["consolidation"]["idle_threshold_seconds"] == 60
    assert written["consolidation"]["cpu_threshold_percent"] == 80
    assert written["consolidation"]["importance_threshold"] == 0.8
    assert written["consolidation"]["repetition_threshold"] == 3
    assert written["consolidation"]["retrieval_threshold"] == 5
    assert written["conflict_resolution"]["auto_supersede_confidence_delta"] == 0.15
    assert written["conflict_resolution"]["review_inbox"] == "inbox/memory-review.md"


def test_config_toml_explains_every_key() -> None:
    """Each key has a comment on its line or on the line above it."""
    lines = (ROOT / "config.toml").read_text("utf-8").splitlines()
    bare = [
        line
        for above, line in zip(["", *lines], lines, strict=False)
        if re.match(r"\w+ *=", line) and "#" not in line and not above.startswith("#")
    ]
    assert bare == []


def test_e39_the_remedy_for_many_questions_is_a_lower_delta() -> None:
    """The runbook says raise it, and that makes more questions; the file says lower it (E-39, X-E10)."""
    text = (ROOT / "config.toml").read_text("utf-8")
    assert "LOWER" in text.split("auto_supersede_confidence_delta", maxsplit=1)[0][-250:]


def test_the_shipped_default_is_found() -> None:
    """`config.default_text` gives the file at the top, from the tree as from a wheel."""
    assert loading.default_text() == (ROOT / "config.toml").read_text("utf-8")


@pytest.mark.parametrize(("section", "key"), KEYS, ids=str)
def test_every_key_can_be_set_in_the_environment(section: str, key: str, tmp_path: Path) -> None:
    """ETHOS_SECTION__KEY sets it, and the source says so."""
    said, wanted = other(section, key)
    name = f"ETHOS_{section}__{key}".upper()
    loaded = loading.load(env={"HOME": "/home/ada", name: said}, cwd=tmp_path)
    found = getattr(getattr(loaded.settings, section), key)
    assert (dict(found) if isinstance(found, Mapping) else found) == wanted
    assert loaded.sources[f"{section}.{key}"] == name
    assert [source for source in loaded.sources.values() if source != "default"] == [name]


@pytest.mark.parametrize(("section", "key"), KEYS, ids=str)
def test_every_key_refuses_a_value_of_the_wrong_type(section: str, key: str, tmp_path: Path) -> None:
    """A table where no table belongs, and a number where one does, are named with their line."""
    wrong = "7" if isinstance(getattr(getattr(Settings(), section), key), tuple | Mapping) else "{}"
    what, where, hint = refusal(tmp_path, f"\n[{section}]\n{key} = {wrong}\n")
    assert what.startswith(f"{section}.{key} is ")
    assert where == "config.toml:3"
    assert hint.startswith("it should be ")


def test_every_number_has_a_range() -> None:
    """A number without bounds would take what makes no sense."""
    numbers = {f"{section}.{key}" for section, key in KEYS if loading.TYPES[section][key] in {int, float}} | {"decay.stability_days"}
    assert set(ranges.RANGES) == numbers


# -- where


def test_the_order_of_the_places(tmp_path: Path) -> None:
    """--config before $ETHOS_CONFIG before ./config.toml before XDG; each is taken away in turn."""
    for name in ("one/a.toml", "two/b.toml", "cwd/config.toml", "xdg/ethos/config.toml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("[ethos]\n", "utf-8")
    env = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "xdg"), "ETHOS_CONFIG": "../two/b.toml"}
    here = tmp_path / "cwd"
    assert loading.load(tmp_path / "one/a.toml", env=env, cwd=here).file == tmp_path / "one/a.toml"
    assert loading.load(env=env, cwd=here).file == tmp_path / "two/b.toml"
    del env["ETHOS_CONFIG"]
    assert loading.load(env=env, cwd=here).file == tmp_path / "cwd/config.toml"
    (here / "config.toml").unlink()
    assert loading.load(env=env, cwd=here).file == tmp_path / "xdg/ethos/config.toml"
    (tmp_path / "xdg/ethos/config.toml").unlink()
    assert loading.load(env=env, cwd=here).file is None


def test_a_config_toml_of_another_program_does_not_count(tmp_path: Path) -> None:
    """config.toml is a common name: without an [ethos] table it is not ours, broken or not."""
    (tmp_path / "config.toml").write_text("[server]\nport = = 80\n", "utf-8")
    assert loading.load(env={"HOME": "/home/ada"}, cwd=tmp_path).file is None


def test_without_a_file_everything_lives_under_xdg(tmp_path: Path) -> None:
    """Database and inbox in the data folder, locks in the state folder, the socket in the runtime folder."""
    env = {"HOME": "/home/ada"}
    settings = loading.load(env=env, cwd=tmp_path).settings
    assert settings.ethos.database == "/home/ada/.local/share/ethos/ethos.db"
    assert settings.conflict_resolution.review_inbox == "/home/ada/.local/share/ethos/inbox/memory-review.md"
    assert settings.ethos.state == "/home/ada/.local/state/ethos"
    assert settings.socket.path == "/home/ada/.local/state/ethos/run/ethos.sock"
    env |= {"XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/run/user/7"}
    settings = loading.load(env=env, cwd=tmp_path).settings
    assert settings.ethos.database == "/d/ethos/ethos.db"
    assert settings.ethos.state == "/s/ethos"
    assert settings.socket.path.startswith("/run/user/7/ethos")
    env["XDG_DATA_HOME"] = "relative"  # the rules of XDG: it does not count then
    assert loading.load(env=env, cwd=tmp_path).settings.ethos.database == "/home/ada/.local/share/ethos/ethos.db"


def test_a_file_of_ones_own_does_not_move_the_memory(tmp_path: Path) -> None:
    """Somebody who adds $XDG_CONFIG_HOME/ethos/config.toml for one setting finds the memory where it was; what it names is beside it."""
    folder = tmp_path / ".config/ethos"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("[recall]\nlimit = 3\n[conflict_resolution]\nreview_inbox = 'review.md'\n", "utf-8")
    settings = loading.load(env={"HOME": str(tmp_path)}, cwd=Path("/")).settings
    assert settings.ethos.database == f"{tmp_path}/.local/share/ethos/ethos.db"
    assert settings.conflict_resolution.review_inbox == f"{folder}/review.md"
    assert settings.socket.path == f"{tmp_path}/.local/state/ethos/run/ethos.sock"


def test_e37_home_is_expanded_and_relative_paths_start_at_their_file(tmp_path: Path) -> None:
    """`~` is the home folder; the path of the design's own inbox works; a variable's path starts at the working directory (E-30, E-37)."""
    text = '[ethos]\ndatabase = "../x.db"\n[capture]\nfollow = ["~/logs", "here"]\n'
    text += '[conflict_resolution]\nreview_inbox = "~/.openclaw/shared/inbox/michael-memory-review.md"\n'
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/c.toml").write_text(text, "utf-8")
    env = {"HOME": "/home/ada", "ETHOS_RULES__PACKS": "mine,~/rules"}
    settings = loading.load(Path("deep/c.toml"), env=env, cwd=tmp_path).settings
    assert settings.ethos.database == f"{tmp_path}/x.db"
    assert settings.ethos.state == f"{tmp_path}/deep/state"
    assert settings.capture.follow == ("/home/ada/logs", f"{tmp_path}/deep/here")
    assert settings.conflict_resolution.review_inbox == "/home/ada/.openclaw/shared/inbox/michael-memory-review.md"
    assert settings.rules.packs == (f"{tmp_path}/mine", "/home/ada/rules")


def test_two_memories_do_not_share_a_socket(tmp_path: Path) -> None:
    """A file elsewhere, or a variable that moves the memory, has a socket of its own: no command reaches another memory's daemon."""
    env = {"HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7"}
    (tmp_path / "a.toml").write_text("", "utf-8")
    (tmp_path / "b.toml").write_text("", "utf-8")
    found = {loading.load(file, env=env, cwd=tmp_path).settings.socket.path for file in (None, tmp_path / "a.toml", tmp_path / "b.toml")}
    found.add(loading.load(env={**env, "ETHOS_ETHOS__DATABASE": "x.db"}, cwd=tmp_path).settings.socket.path)
    assert len(found) == 4
    assert "/run/user/7/ethos.sock" in found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[ethos]\nuser = 'ada'\n",
        '[socket]\npath = ""\n',
        '[ethos]\n[socket]\nmax_connections = 3\npath = "run/e.sock"   # here\n[recall]\nlimit = 1\n',
        '[socket]\npath = "~/e.sock"\n',
        '  [ socket ]  \npath = "spaced.sock"\n',
        "[socket]\npath = 'single.sock'\n",
        '[socket]\n"path" = "quoted.sock"\n',
        '[socket]\npath = "back\\u0041.sock"\n',
        'socket.path = "dotted.sock"\n',
        'socket = { path = "inline.sock" }\n',
        '[ethos]\nuser = """\n[socket]\npath = "trick.sock"\n"""\n',
        (ROOT / "config.toml").read_text("utf-8"),
    ],
)
def test_hot_commands_find_the_same_socket(text: str, tmp_path: Path) -> None:
    """Hot commands look for the socket without a TOML parser: they find the loader's path, or say that they cannot tell."""
    file = tmp_path / "c.toml"
    file.write_text(text, "utf-8")
    env = {"HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7"}
    quick = paths.quick_socket(str(file), env, str(tmp_path))
    assert quick in {None, loading.load(file, env=env, cwd=tmp_path).settings.socket.path}
    env["ETHOS_SOCKET__PATH"] = "other.sock"
    assert paths.quick_socket(str(file), env, str(tmp_path)) == f"{tmp_path}/other.sock"


def test_the_annotated_default_is_plain_enough_for_hot_commands(tmp_path: Path) -> None:
    """A user's copy of config.toml, with a path of their own in it, needs no parser."""
    text = (ROOT / "config.toml").read_text("utf-8").replace('path = ""', 'path = "/run/user/7/mine.sock"')
    (tmp_path / "c.toml").write_text(text, "utf-8")
    assert paths.quick_socket("c.toml", {"HOME": "/home/ada"}, str(tmp_path)) == "/run/user/7/mine.sock"


# -- mistakes


@pytest.mark.parametrize(
    ("text", "what", "where", "hint"),
    [
        (
            "[consolidation]\n\ninterval_minuts = 5\n",
            "unknown key: consolidation.interval_minuts",
            "config.toml:3",
            "did you mean interval_minutes?",
        ),
        ("[ethos]\n[consolidaton]\n", "unknown table: [consolidaton]", "config.toml:2", "did you mean consolidation?"),
        ("user = 'ada'\n", "unknown table: user", "config.toml:1", "known: ethos, capture"),
        ("ethos = 3\n", "ethos is 3", "config.toml:1", "write a table: [ethos]"),
        ('[sleep]\nhour = "3"\n', 'sleep.hour is the text "3"', "config.toml:2", "it should be a time of the day such as"),
        ('[sleep]\nzone = "Berlin"\n', 'sleep.zone is the text "Berlin"', "config.toml:2", "it should be a time zone such as"),
        (
            "[consolidation]\ncpu_threshold_percent = 80000\n",
            "consolidation.cpu_threshold_percent is 80000",
            "config.toml:2",
            "it should be a number from 0 to 10000",
        ),
        (
            "[consolidation]\ninterval_minutes = 0\n",
            "consolidation.interval_minutes is 0",
            "config.toml:2",
            "it should be a number above 0",
        ),
        (
            "[consolidation]\ninterval_minutes = nan\n",
            "consolidation.interval_minutes is nan",
            "config.toml:2",
            "it should be a number above 0",
        ),
        (
            "[consolidation]\nbatch_size = 1.5\n",
            "consolidation.batch_size is 1.5",
            "config.toml:2",
            "it should be a whole number from 1 to 100000",
        ),
        ("[consolidation]\non_battery = 1\n", "consolidation.on_battery is 1", "config.toml:2", "it should be true or false"),
        (
            "[conflict_resolution]\nauto_supersede_confidence_delta = -0.1\n",
            "conflict_resolution.auto_supersede_confidence_delta is -0.1",
            "config.toml:2",
            "it should be a number from 0 to 1",
        ),
        (
            "[conflict_resolution]\ncontainment = 'word'\n",
            'conflict_resolution.containment is the text "word"',
            "config.toml:2",
            'it should be one of "token", "substring"',
        ),
        ("[ethos]\nuser = 7\n", "ethos.user is 7", "config.toml:2", "it should be text in double quotes"),
        ("[ethos]\nuser = ' '\n", 'ethos.user is the text " "', "config.toml:2", "it should be a text that is not empty"),
        (
            "[capture]\nfollow = ['a', 3]\n",
            'capture.follow is the list ["a", 3]',
            "config.toml:2",
            "it should be a list of texts in square brackets",
        ),
        (
            "[decay.stability_days]\nfact = 1\nsignal = -2\n",
            "decay.stability_days.signal is -2",
            "config.toml:1",
            "it should be a number above 0",
        ),
        (
            "consolidation.batch_size = 0\n",
            "consolidation.batch_size is 0",
            "config.toml:1",
            "it should be a whole number from 1 to 100000",
        ),
        (
            "[recall]\nlimit = 200\n",
            "recall.limit is 200, more than recall.max_limit (100)",
            "recall.limit",
            "lower the one or raise the other",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_would_be_right(tmp_path: Path, text: str, what: str, where: str, hint: str) -> None:
    """File, line, key, what was found and what would be right."""
    found = refusal(tmp_path, text)
    assert found[:2] == (what, where)
    assert found[2].startswith(hint)


def test_broken_toml_is_named_with_line_and_column(tmp_path: Path) -> None:
    """The place where the parser stopped."""
    what, where, _ = refusal(tmp_path, '[ethos]\nuser = "ada"\ndatabase = ethos.db\n')
    assert where == "config.toml:3:12"
    assert what.startswith("not TOML: ")
    assert refusal(tmp_path, "[ethos]\nlog = [1,\n")[1].startswith("config.toml")


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    """The environment is checked like the file; other variables that begin like ours are left alone."""
    assert refusal(tmp_path, "", ETHOS_RECALL__LIMIT="many") == (
        'recall.limit is the text "many"',
        "ETHOS_RECALL__LIMIT",
        "it should be a whole number of at least 1",
    )
    assert refusal(tmp_path, "", ETHOS_RECALL__LIMITS="3") == (
        "unknown variable: ETHOS_RECALL__LIMITS",
        "the environment",
        "did you mean limit?",
    )
    assert refusal(tmp_path, "", ETHOS_RECAL__LIMIT="3")[2] == "did you mean recall?"
    assert load(tmp_path, "", ETHOS_HOME="x").recall.limit == 10


def test_lists_in_the_environment_are_json_or_have_commas(tmp_path: Path) -> None:
    """A path with a comma needs JSON; broken JSON is refused."""
    assert load(tmp_path, "", ETHOS_CAPTURE__FOLLOW='["/a,b", "/c"]').capture.follow == ("/a,b", "/c")
    assert load(tmp_path, "", ETHOS_CAPTURE__FOLLOW=" /a , /c,").capture.follow == ("/a", "/c")
    assert load(tmp_path, "", ETHOS_DECAY__STABILITY_DAYS="fact=3, own=1").decay.stability_days["own"] == 1
    assert refusal(tmp_path, "", ETHOS_CAPTURE__FOLLOW='["/a"')[0].startswith("capture.follow is the text")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A missing file, a folder and a file in another encoding; who named it stands in the sentence."""

    def complaint(explicit: Path | None, **env: str) -> str:
        with pytest.raises(Refused) as caught:
            loading.load(explicit, env={"HOME": "/home/ada", **env}, cwd=tmp_path)
        return caught.value.problem.what

    assert complaint(tmp_path / "none.toml") == "--config names a file that is not there"
    assert complaint(None, ETHOS_CONFIG="none.toml") == "$ETHOS_CONFIG names a file that is not there"
    assert complaint(tmp_path) == "--config names a file that cannot be read: is a directory"
    (tmp_path / "latin.toml").write_bytes("[ethos]\nuser = 'Zoë'\n".encode("latin-1"))
    assert complaint(tmp_path / "latin.toml") == "not UTF-8 text (byte 18)"
    (tmp_path / "bom.toml").write_bytes("\ufeff[ethos]\nuser = 'Zoë'\n".encode())
    assert loading.load(tmp_path / "bom.toml", env={}, cwd=tmp_path).settings.ethos.user == "Zoë"


def test_a_socket_path_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """The system takes 107 bytes; binding would fail much later, with less to say."""
    assert refusal(tmp_path, f'[socket]\npath = "/{"x" * 120}"\n')[0].startswith("socket.path has 121 bytes")


def test_a_home_too_deep_for_a_socket_gets_one_elsewhere(tmp_path: Path) -> None:
    """A Unix socket's path has at most 107 bytes: where the usual place is longer, the default moves; what was set by hand is refused."""
    env = {"HOME": "/home/" + "a" * 120}
    path = loading.load(env=env, cwd=tmp_path).settings.socket.path
    assert path.startswith(f"/tmp/ethos-{os.getuid()}/")
    assert path == paths.quick_socket(None, env, str(tmp_path))
    with pytest.raises(Refused):
        loading.load(env={**env, "ETHOS_SOCKET__PATH": "/" + "b" * 120}, cwd=tmp_path)
