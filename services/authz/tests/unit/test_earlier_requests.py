"""Requests in flight while authz is updated: the forms that the release before stored and sent are read.

The samples were made by its code, the last one of ``progress`` by 0.3.0.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from portico_authz.domain.auth_request import AuthRequest, Progress
from portico_authz.domain.login_session import LoginProof
from portico_authz.store.redis_auth_requests import decode_request
from portico_contracts.login import Answer, Step
from portico_contracts.login_steps import AnyAnswer, AnyStep
from portico_contracts.login_wire import encode_step

ANY_ANSWER: Any = AnyAnswer
ANY_STEP: Any = AnyStep
EMPTY = ("", None, False, [])
SAMPLES = Path(__file__).parents[1] / "samples"


def samples(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((SAMPLES / f"{name}.json").read_text())
    return found


def stored(progress: Progress) -> dict[str, Any]:
    """The members that a release reads: others have their defaults."""
    return json.loads(msgspec.json.encode(progress))  # type: ignore[no-any-return]


def read(progress: dict[str, Any]) -> Progress:
    request = AuthRequest("7f-request", "7f-browser", {}, 1.0)
    fields = [msgspec.json.encode(request).decode(), json.dumps(progress), *[None] * 7]
    decoded = decode_request(fields)
    assert decoded is not None
    return decoded.progress


def test_stored_progress_is_read_whole() -> None:
    found = samples("progress")[:-1]

    assert [one for one in found if stored(read(one)) != one] == []


def test_stored_requests_are_read_whole() -> None:
    for sample in samples("requests"):
        request = decode_request([json.dumps(sample), *[None] * 8])

        assert request is not None
        # The form is stored beside it.
        assert json.loads(msgspec.json.encode(replace(request, csrf=sample["csrf"]))) == sample


def test_stored_proofs_are_read_whole() -> None:
    for sample in samples("proofs"):
        proof = msgspec.json.decode(json.dumps(sample), type=LoginProof)

        assert json.loads(msgspec.json.encode(proof)) == sample


def test_sent_answers_are_read_whole() -> None:
    """Members of other steps, all empty, are ignored."""
    for sample in samples("answers"):
        read_answer: Answer = msgspec.convert(sample, ANY_ANSWER)
        left = {name: value for name, value in sample.items() if value not in EMPTY}
        found = json.loads(msgspec.json.encode(read_answer))

        assert {**found, **left} == found


def test_steps_are_sent_as_before() -> None:
    for line in (SAMPLES / "steps.json").read_text().splitlines()[1:-1]:
        step: Step = msgspec.json.decode(line.rstrip(","), type=ANY_STEP)

        assert encode_step(step).decode() == line.rstrip(",")
