"""Requests in flight while authz is updated: the forms that the release before stored and sent are read.

The samples were made by its code, the last one of ``progress`` by 0.3.0.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.progress import Progress
from portico_authz.store.progress_form import StoredProof, encode_progress, encode_request, proof_in, stored_proof
from portico_authz.store.redis_auth_requests import decode_request
from portico_contracts.login import Answer, Step
from portico_contracts.login_steps import AnyAnswer, AnyStep
from portico_contracts.login_wire import encode_step

ANY_ANSWER: Any = AnyAnswer
ANY_STEP: Any = AnyStep
EMPTY: tuple[Any, ...] = ("", None, False, [])
EMPTY_PROGRESS = json.loads(encode_progress(Progress()))
SAMPLES = Path(__file__).parents[1] / "samples"


def samples(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((SAMPLES / f"{name}.json").read_text())
    return found


def as_stored(progress: dict[str, Any]) -> dict[str, Any]:
    """The present form: without what a sign-in without trust does not use."""
    epoch = progress["trust_epoch"] if progress.get("trust_by") else 0
    stored: dict[str, Any] = EMPTY_PROGRESS | progress
    return stored | {"trust_epoch": epoch}


def decoded(text: dict[str, Any], progress: dict[str, Any] | None = None) -> AuthRequest:
    fields = [json.dumps(text), json.dumps(progress) if progress else None, *[None] * 7]
    request = decode_request(fields)
    assert request is not None
    return request


def test_stored_progress_is_read_whole() -> None:
    for sample in samples("progress"):
        progress = decoded(samples("requests")[0], sample).progress

        assert json.loads(encode_progress(progress)) == as_stored(sample)


def test_stored_requests_are_read_whole() -> None:
    for sample in samples("requests"):
        # The form is stored in another record.
        request = replace(decoded(sample), csrf=sample["csrf"])

        assert json.loads(encode_request(request)) == sample | {"progress": as_stored(sample["progress"])}


def test_stored_proofs_are_read_whole() -> None:
    for sample in samples("proofs"):
        proof = proof_in(msgspec.convert(sample, StoredProof))
        stored = json.loads(msgspec.json.encode(stored_proof(proof)))

        assert stored == sample | {"progress": as_stored(sample["progress"])}


def test_sent_answers_are_read_whole() -> None:
    """Members of other steps, all empty, are ignored."""
    for sample in samples("answers"):
        read_answer: Answer = msgspec.convert(sample, ANY_ANSWER)
        left = {name: value for name, value in sample.items() if value not in EMPTY}
        found = json.loads(msgspec.json.encode(read_answer))

        assert {**found, **left} == found


def test_steps_are_sent_as_before() -> None:
    """Members of newer steps follow, all empty."""
    for line in (SAMPLES / "steps.json").read_text().splitlines()[1:-1]:
        before = line.rstrip(",").removesuffix("}")
        step: Step = msgspec.json.decode(before + "}", type=ANY_STEP)
        sent = encode_step(step).decode()
        new = json.loads(sent).keys() - json.loads(before + "}").keys()

        assert sent.startswith(before)
        assert [name for name in new if json.loads(sent)[name] not in EMPTY] == []
