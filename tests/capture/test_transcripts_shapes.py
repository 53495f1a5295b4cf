"""Whatever shape a record has, a reader answers with values: no format may raise on what another program wrote."""

from __future__ import annotations

import ast
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.detecting import FORMATS
from ethos.edge.capture.transcripts.reading import read_stream
from ethos.edge.capture.transcripts.turn import Place, Turn
from tests.support.transcript_reading import LATER
from tests.support.transcript_writing import cursor_database

NAMES = """
    ethos projectHash version chat_messages sender toolName agentId createdAt bubbleId fullConversationHeadersOnly conversation result
    workspaceUris
    type message payload content role text id uuid sessionId cwd timestamp said_at messages mapping current_node parent author parts
    content_type create_time metadata tool_use_id session tags tone output
    agent_id created_at memories memory results run_id updated_at forkedFrom isApiErrorMessage kind messageUuid model name origin
    stop_reason call_id forked_from_id root source conversation_id is_user_system_message is_visually_hidden_from_conversation recipient
    weight permalink
"""
KEYS = st.sampled_from(NAMES.split())
WORDS = st.sampled_from("user assistant tool_result text message response_item session_meta all a b 2026-01-01 <memory>x</memory>".split())  # noqa: SIM905 (the same)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**14) | st.floats(allow_nan=False, allow_infinity=False) | WORDS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)


def test_every_key_that_a_reader_asks_for_is_among_them() -> None:
    """So that random records try a new format, too."""
    asked: set[object] = set()
    for format_ in FORMATS.values():
        module = sys.modules[format_.recognises.__module__]
        for call in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            match call:
                case ast.Call(ast.Name("word"), [_, ast.Constant(key)]) | ast.Call(ast.Attribute(attr="get"), [ast.Constant(key), *_]):
                    asked.add(key)
    assert len(asked) > 50
    assert asked <= set(NAMES.split())


@pytest.mark.no_cover  # the same lines, hundreds of times
@settings(derandomize=True, max_examples=300, deadline=None)
@given(records=st.lists(st.dictionaries(KEYS, VALUES, max_size=6), min_size=1, max_size=3))
def test_no_shape_of_record_makes_a_reader_raise(records: list[dict[str, object]]) -> None:
    """Lines of any JSON objects with the keys of all formats give items, and every turn among them has text and an aware time."""
    lines = "".join(json.dumps(record) + "\n" for record in records).encode()
    whole = json.dumps(records).encode()
    for format_ in FORMATS.values():
        data = lines if format_.lines or format_.name == "openai-messages" else whole
        if format_.name == "cursor":
            data = cursor_database(records)
        place = Place("any.jsonl", "any.jsonl", LATER)
        for item in read_stream(format_, place, io.BytesIO(data), CaptureSettings(), quiet=True):
            if isinstance(item, Turn):
                assert item.text.strip()
                assert item.said_at.tzinfo is not None
                assert item.session
                assert item.project
