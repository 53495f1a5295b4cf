"""The corpus: made-up chat turns, the same for the same seed, in the lengths and proportions that real ones have.

Four turns in ten are a developer's to a coding agent, three the agent's answers, three of people who tell each other about their
lives. A user's turn has about twenty words (the median), an agent's more, often with code. About one user turn in ten states
something that is worth keeping; many more hold a word that a rule looks for, as real ones do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

import regex

from ethos.core.model.records import Episode, Origin, Role

SEED = 20_260
START = datetime(2025, 3, 3, 8, 0, tzinfo=UTC)
TURNS_A_SESSION = 40
SESSIONS_A_PROJECT = 12
STATED = 0.10  # of user turns
_SLOT = regex.compile(r"\{(\w+)\}")


class Line(NamedTuple):
    """One turn."""

    id: str
    session: str
    project: str
    role: Role
    speaker: str
    text: str
    said_at: datetime


def _words(listed: str) -> tuple[str, ...]:
    return tuple(listed.split())


VOCABULARY: dict[str, tuple[str, ...]] = {
    "tool": _words(
        """Postgres Redis SQLite Kafka RabbitMQ Docker Kubernetes Terraform Ansible Nginx Caddy Traefik Grafana Prometheus Loki Jaeger
        Django Flask FastAPI Rails Laravel Spring Express Svelte React Vue Angular Tailwind Vite Webpack esbuild Jest Vitest pytest mypy
        ruff black pnpm yarn npm Poetry uv Cargo Gradle Maven Bazel Make Meson CMake Jenkins Buildkite CircleCI Sentry Datadog Vault
        Consul Nomad etcd MinIO Celery Temporal Airflow dbt Spark Flink DuckDB ClickHouse MongoDB MySQL MariaDB Cassandra Neo4j
        Elasticsearch Meilisearch Typesense Qdrant Rust Go Python TypeScript Kotlin Swift Elixir Zig Haskell Lua Neovim Emacs Helix
        Playwright Cypress Selenium Storybook Figma GraphQL gRPC Protobuf OpenAPI Zod Pydantic SQLModel Alembic Prisma Drizzle
        Cloudflare Fly Hetzner Debian Alpine NixOS Podman systemd cron rsync restic WireGuard Tailscale Keycloak Auth0"""
    ),
    "thing": _words(
        """parser scheduler worker queue cache index migration schema endpoint handler router middleware session token login form button
        modal sidebar table chart report export import upload download invoice cart checkout payment refund webhook notification email
        template layout theme header footer config setting flag build pipeline release deploy rollback backup restore snapshot replica
        shard cluster pod container image volume network proxy gateway firewall certificate domain record lookup search filter sort
        pagination cursor lock mutex thread pool buffer stream socket packet frame decoder encoder lexer tokenizer compiler linker
        debugger profiler tracer logger metric alert dashboard test fixture mock stub benchmark script hook plugin module package
        library client server daemon agent crawler scraper importer exporter validator serializer adapter wrapper factory registry
        controller service repository model view component store reducer action selector query mutation resolver subscription"""
    ),
    "quality": _words(
        """slow flaky broken odd stale noisy verbose brittle wrong empty missing duplicated outdated unused large small nested recursive
        optional public private internal global local remote shared cached lazy strict loose partial complete nightly weekly new old
        main second extra generic simple clumsy tidy clean safe unsafe blocking asynchronous parallel"""
    ),
    "verb": _words(
        """parse load save read write fetch send retry cancel validate format render update delete create list sort merge split map
        filter group count cache index build deploy test mock patch wrap extract move copy rename inline refactor rewrite simplify
        document profile trace log print export import sync upload download compress encrypt sign verify"""
    ),
    "name": _words(
        """Maren Tobias Ingrid Paulo Yusuf Leila Anders Freya Oskar Nadia Ravi Priya Kenji Haruka Mateo Lucia Tomas Eva Bruno Clara
        Denis Irina Jonas Katja Liam Mira Noah Olga Petra Quentin Rosa Stefan Tilda Ulrich Vera Wanda Xenia Yara Zoltan Amara Bela
        Chidi Dalia Emeka Farah Goran Hana Imre Jelena Kofi Lars Mona Nils Orla Pavel Rania Sven Tuva Umar Vilma"""
    ),
    "place": _words(
        """Lisbon Bergen Graz Leeds Porto Ghent Turin Malmo Krakow Tartu Cork Bilbao Lyon Basel Trieste Utrecht Aarhus Brno Split
        Osaka Kyoto Busan Hanoi Penang Nairobi Accra Lima Quito Rosario Montevideo Halifax Denver Austin Portland Tucson"""
    ),
    "hobby": _words(
        """painting pottery climbing sailing running cycling baking gardening knitting photography woodwork chess birdwatching fencing
        swimming rowing skiing hiking camping yoga karate guitar cello drums choir theatre calligraphy origami astronomy beekeeping
        fishing surfing bouldering dancing sewing quilting brewing juggling"""
    ),
    "food": _words(
        """ramen risotto falafel paella gnocchi pierogi kimchi sourdough lentils curry tacos sushi goulash bibimbap moussaka quiche
        dumplings pancakes hummus shakshuka laksa ceviche couscous cheesecake tiramisu"""
    ),
    "animal": _words("dog cat rabbit parrot tortoise hamster horse goat ferret canary"),
    "kin": _words("sister brother mother father daughter son aunt uncle cousin grandmother neighbour roommate"),
    "job": _words(
        """nurse teacher carpenter plumber architect librarian chemist translator baker florist pilot midwife journalist accountant
        gardener electrician dentist surveyor tailor geologist"""
    ),
    "event": _words(
        """wedding exam move interview concert marathon exhibition workshop festival funeral graduation holiday picnic reunion market
        recital retreat housewarming tournament lecture"""
    ),
    "feeling": _words("tired happy nervous proud relieved worried excited grateful sad curious stressed calm lonely hopeful annoyed"),
    "when": (
        "yesterday", "last week", "this morning", "on Friday", "two days ago", "last month", "over the weekend", "tonight",
        "in the spring", "next Tuesday", "after work", "around noon", "back in October", "the other day", "all day", "before lunch",
    ),
    "number": tuple(str(n) for n in (2, 3, 4, 5, 8, 10, 12, 15, 20, 30, 50, 100, 200, 250, 500, 1000, 4096)),
    "part": _words("user order item event file page row job task note draft batch bucket branch commit ticket tenant team plan"),
}  # fmt: skip

# {snake}, {camel} and {path} are put together from `verb`, `part` and `thing`: names that stand in few texts, as names in code do
DEVELOPER = (
    "Can you look at why the {thing} is {quality}?",
    "The {thing} test fails on my machine but not in the pipeline.",
    "Please add a {thing} for the {quality} {part} case.",
    "Where is `{snake}` called from?",
    "That didn't work, I still get the same error when I {verb} a {part}.",
    "ok",
    "yes, go ahead",
    "Hmm, the {thing} in `{path}` looks {quality} to me, what do you think?",
    "Now run the tests again and show me only what fails.",
    "I pushed the branch {when}, can you rebase it and fix the conflicts?",
    "It takes about {number} seconds to {verb} {number} {part}s, which is far too long.",
    "What happens if the {part} has no {thing} yet?",
    "Also the {thing} seems to {verb} twice when the {part} is {quality}.",
    "Let's leave the {thing} for later and finish the {thing} first.",
    "Could you explain how {tool} and the {thing} fit together here?",
    "I get `{camel}Error: {part} {number} not found` from the {thing}.",
    "Undo that last change, it broke the {quality} {thing}.",
    "There are {number} warnings from {tool} about the {quality} {thing}.",
    "The {part} page shows the {thing} before the {thing} has loaded.",
    "Write a short docstring for `{snake}` and one for `{snake}`.",
    "Maybe we could {verb} the {part} in the {thing} rather than in {path}?",
    "I think the bug is in {path}, around line {number}.",
    "We saw the same thing {when} after the {thing} was deployed.",
    "Split `{camel}` into a {thing} and a {thing}, it does too much.",
    "Is there a reason why the {thing} is {quality}?",
    "Just give me the diff, no explanation please.",
    "The client asked again whether one can {verb} {part}s by {part}, and what becomes of the {thing} then.",
    "Before you change the {thing}, check who else depends on it.",
    "Looks good, commit it with a message about the {thing}.",
    "Why do we need a {quality} {thing} at all?",
    "I would have expected {tool} to complain about that.",
    "After the update the {thing} eats {number} MB more than before, and nobody knows why.",
    "Try it with {number} {part}s instead of {number} and compare.",
    "thanks, that fixed it",
)
DEVELOPER_STATES = (
    "We decided to use {tool} for the {thing}.",
    "Let's go with {tool} for the {quality} {thing}.",
    "Use {tool} instead of {tool} for the {thing}.",
    "I prefer {tool} over {tool} for this kind of work.",
    "We switched from {tool} to {tool} {when}.",
    "Rename {snake} to {snake}.",
    "Call the new {thing} {camel}.",
    "The {thing} should always {verb} the {part} first.",
    "Never {verb} the {part} without a {thing}.",
    "From now on, {verb} every {part} in {path}.",
    "We no longer use {tool} for the {thing}.",
    "The default {thing} is {tool}.",
    "Our {thing} runs on {tool} with {number} {part}s.",
    "We are going with {tool} as the {thing}.",
    "Remember that the {thing} lives in {path}.",
    "Replace the {quality} {thing} with {tool}.",
    "The plan is to {verb} the {thing} {when}.",
    "Make sure the {thing} never writes to {path}.",
    "I always run {tool} before I commit.",
    "Important: the {thing} must stay {quality}.",
    "The {thing} should not {verb} twice when the {part} is {quality}.",
)
PEOPLE = (
    "How was your day?",
    "The {event} {when} was lovely, {name} was there too.",
    "Oh wow, that sounds great, tell me more!",
    "I've been so {feeling} about the {event} lately.",
    "Did you hear from {name} about the {event}?",
    "The weather in {place} was awful {when}, it rained the whole time.",
    "Thanks, that means a lot to me.",
    "We had {food} for dinner and the kids actually finished it.",
    "My {kin} called {when} and we talked for {number} minutes.",
    "I keep thinking about what you said {when}.",
    "Have you ever been to {place}?",
    "It's hard to find time for {hobby} with everything going on.",
    "That reminds me of the {event} in {place}, do you remember?",
    "You should try {hobby}, it really takes your mind off things.",
    "Work has been a lot, I was {feeling} by the end of the week.",
    "The {animal} got out {when} and we looked for it everywhere.",
    "Good luck with the {event}, I'm sure you'll do fine!",
    "{name} said the {event} was moved, so we have more time now.",
    "I took some pictures of the {event}, I'll send them {when}.",
    "What did the {job} say?",
    "Haha, I would have been so {feeling}!",
    "I saw a documentary about {hobby} and couldn't stop watching.",
    "Maybe we can meet {when} and make {food}?",
    "It was {number} degrees and we walked home from the {event}.",
    "Sorry to hear that, how is your {kin} now?",
    "I'm reading a book {name} gave me, it starts slowly but gets better.",
    "There is a little shop near the station that sells {food}.",
    "We nearly missed the train to {place}, what a morning.",
    "I don't know yet, it depends on how the {event} goes.",
    "Anyway, I should go, the {animal} wants its dinner.",
)
PEOPLE_STATE = (
    "I love {hobby}, I do it {when} whenever I can.",
    "My {kin} {name} lives in {place}.",
    "I work as a {job} in {place}.",
    "My favourite food is {food}.",
    "I moved to {place} {when}.",
    "I've been doing {hobby} for {number} years.",
    "I'm allergic to {food}.",
    "We have a {animal} called {name}.",
    "I hate {food}, I can't even smell it.",
    "I prefer {hobby} to {hobby} these days.",
    "I stopped {hobby} {when}.",
    "I grew up in {place} with my {kin}.",
    "My {kin} is a {job}.",
    "I'm training for a {event} in {place}.",
    "I'm really into {hobby} at the moment.",
    "I went to the {event} {when} with {name} and it was lovely.",
)
ASSISTANT = (
    "I looked at `{path}` and found that the {thing} calls `{snake}` before the {part} is ready.",
    "The {quality} {thing} comes from {tool}, which reads its settings only once.",
    "I have changed `{snake}` so that it returns early when the {part} is {quality}.",
    "All {number} tests pass now.",
    "There are two ways to do this: a {quality} {thing}, or a {thing} inside the {thing}.",
    "Note that {tool} treats a {quality} {part} differently.",
    "Next I would {verb} the {thing} and remove the {quality} one.",
    "The error means that the {thing} could not {verb} the {part} within {number} milliseconds.",
    "I did not touch `{path}`, because other modules import `{camel}` from it.",
    "Would you like me to {verb} the {part}s as well?",
    "This keeps the {thing} {quality} while the {thing} is being rebuilt.",
    "You can see the difference with `{snake} --{part} {number}`.",
    "In short, the {thing} was {quality} and is now {quality}.",
    "One caveat: when two {part}s arrive at once, the {thing} takes the later one.",
    "- `{path}`: {verb} the {part} in the {thing}",
    "- `{path}`: new {thing} for {quality} {part}s",
    "Let me {verb} the {thing} first and then run the tests.",
    "It is safer to {verb} the {part} after the {thing} has been closed.",
)
CODE = (
    "def {snake}({part}, *, {thing}=None):\n    if {part} is None:\n        return {number}\n    return {snake}({part}, {thing})",
    "class {camel}:\n    def __init__(self, {part}):\n        self.{part} = {part}\n        self.{thing} = {snake}({number})",
    'import {{ {camel} }} from "./{part}/{thing}";\n\nexport const {snake} = new {camel}({number});',
    "SELECT {part}_id, count(*) FROM {part}s\nWHERE {thing} = '{quality}' GROUP BY 1 LIMIT {number};",
    '[{thing}]\n{part} = {number}\n{quality} = true\npath = "{path}"',
    "$ {snake} --{part} {number}\n{camel}Error: {thing} is {quality}\n    at {path}:{number}",
)


class _Writer:
    """Fills sentences. A word is picked the more rarely the later it stands in its list, roughly as words are in English."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._weights = {name: [1 / (rank + 8) for rank in range(len(words))] for name, words in VOCABULARY.items()}

    def word(self, name: str) -> str:
        return self.random.choices(VOCABULARY[name], self._weights[name])[0]

    def slot(self, name: str) -> str:
        if name == "snake":
            return f"{self.word('verb')}_{self.word('quality')}_{self.word('part')}"
        if name == "camel":
            return f"{self.word('part').title()}{self.word('thing').title()}"
        if name == "path":
            return f"src/{self.word('thing')}/{self.word('verb')}_{self.word('part')}.py"
        return self.word(name)

    def sentence(self, templates: tuple[str, ...]) -> str:
        return _SLOT.sub(lambda found: self.slot(found[1]), self.random.choice(templates))

    def sentences(self, templates: tuple[str, ...], median: float, most: int) -> list[str]:
        wanted = round(self.random.lognormvariate(0.0, 0.7) * median)
        return [self.sentence(templates) for _ in range(max(1, min(most, wanted)))]

    def user(self, templates: tuple[str, ...], states: tuple[str, ...]) -> str:
        said = self.sentences(templates, 2.0, 12)
        if self.random.random() < STATED:
            said[self.random.randrange(len(said))] = self.sentence(states)
        if templates is DEVELOPER and self.random.random() < 0.08:
            said.append(f"\n```\n{self.sentence(CODE)}\n```")
        return " ".join(said)

    def assistant(self) -> str:
        said = self.sentences(ASSISTANT, 6.0, 40)
        text = ("\n" if self.random.random() < 0.3 else " ").join(said)
        for _ in range(self.random.choices((0, 1, 2), (60, 30, 10))[0]):
            text += f"\n\n```\n{self.sentence(CODE)}\n```\n{self.sentence(ASSISTANT)}"
        return text


def lines(count: int, *, seed: int = SEED) -> Iterator[Line]:
    """So many turns, in sessions: four in seven are of a developer and an agent, three of two people."""
    writer = _Writer(seed)
    said_at = START
    names = VOCABULARY["name"]
    people, pair = False, ("", "")
    for number in range(count):
        session, turn = divmod(number, TURNS_A_SESSION)
        project, episode_of = divmod(session, SESSIONS_A_PROJECT)
        if turn == 0:
            people = session % 10 in {1, 4, 7}
            pair = (names[project * 7 % len(names)], names[(project * 11 + 3) % len(names)])
            said_at += timedelta(hours=writer.random.uniform(1, 20))
        said_at += timedelta(seconds=round(writer.random.expovariate(1 / 70), 3))
        role: Role = "user"
        if people:
            speaker, text = pair[turn % 2], writer.user(PEOPLE, PEOPLE_STATE)
        elif turn % 7 in {0, 2, 4, 5}:
            speaker, text = "user", writer.user(DEVELOPER, DEVELOPER_STATES)
        else:
            role, speaker, text = "assistant", "assistant", writer.assistant()
        yield Line(f"{session}/{turn}", f"s-{project}-{episode_of}", f"project-{project}", role, speaker, text, said_at)


def episodes(count: int, captured_at: datetime, *, seed: int = SEED) -> Iterator[Episode]:
    """Return the same turns as records, with the importance of a text without a literal, so that no rules are needed."""
    for line in lines(count, seed=seed):
        user = line.role == "user"
        yield Episode(
            id=f"e-{line.id}",
            user="default",
            project=line.project,
            session=line.session,
            role=line.role,
            speaker=line.speaker,
            origin=Origin.USER if user else Origin.ASSISTANT,
            text=line.text,
            said_at=line.said_at,
            captured_at=captured_at,
            importance=0.6 if user else 0.5,
            importance_given=False,
            source="corpus",
        )


def write(path: Path, count: int, *, seed: int = SEED) -> None:
    """Return the turns as episode lines in a file."""
    with path.open("w", encoding="utf-8") as file:
        for line in lines(count, seed=seed):
            file.write(json.dumps({**line._asdict(), "said_at": line.said_at.isoformat()}, ensure_ascii=False) + "\n")


def questions(count: int, *, seed: int = SEED) -> list[str]:
    """Questions of one to six words out of the vocabulary, as people search; words that stand in thousands of turns and in few."""
    writer = _Writer(seed + 1)
    templates = (
        "{tool} {thing}", "which {thing} for the {part}", "{quality} {thing} {tool}", "{snake}", "{hobby}", "what did {name} say",
        "{kin} {place}", "where does {name} live", "why was the {thing} {quality}", "{food} {event}", "{path}", "{camel} {verb} {part}",
    )  # fmt: skip
    return [writer.sentence(templates) for _ in range(count)]
