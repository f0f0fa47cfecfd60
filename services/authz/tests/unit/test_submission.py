from __future__ import annotations

import secrets
from dataclasses import replace

import pytest
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS, Submission, new_submission
from portico_contracts.step_names import StepName
from portico_fakes.authz_samples import opaque
from portico_oauth.opaque import bucket_in

NOW = 1_790_000_000.5


@pytest.fixture
def handle() -> str:
    return opaque()


@pytest.fixture
def sent(handle: str) -> Submission:
    return new_submission(StepName.PASSWORD, opaque(), handle, secrets.token_bytes, NOW)


def test_retry_is_bound_to_its_browser_and_window(sent: Submission, handle: str) -> None:
    assert sent.is_of(handle, NOW)
    assert sent.is_of(handle, NOW + RETRY_WINDOW_SECONDS - 0.1)
    assert not sent.is_of(handle, NOW + RETRY_WINDOW_SECONDS)
    assert not sent.is_of(opaque(), NOW)
    assert not sent.is_of("", NOW)


def test_derived_identifiers_are_deterministic(sent: Submission, handle: str) -> None:
    """The identifiers are distinct and in their buckets."""
    both = {sent.next_handle(handle), sent.next_sid("7f", handle), handle}

    assert sent.next_handle(handle) == replace(sent).next_handle(handle)
    assert sent.next_sid("a1", handle) == replace(sent).next_sid("a1", handle)
    assert (bucket_in(sent.next_handle(handle)), bucket_in(sent.next_sid("a1", handle))) == ("7f", "a1")
    assert len(both) == 3


def test_derivation_needs_the_old_handle_and_the_seed(sent: Submission, handle: str) -> None:
    """Neither an attacker with the handle nor a reader of the store can derive them (LG-11)."""
    elsewhere, later = opaque(), new_submission(sent.step, sent.csrf, handle, secrets.token_bytes, NOW)

    assert sent.next_handle(handle) != sent.next_handle(elsewhere)
    assert sent.next_sid("7f", handle) != sent.next_sid("7f", elsewhere)
    assert sent.next_handle(handle) != later.next_handle(handle)
    assert sent.next_sid("7f", handle) != later.next_sid("7f", handle)


def test_repr_shows_no_secret(sent: Submission, handle: str) -> None:
    assert sent.csrf not in repr(sent)
    assert sent.seed not in repr(sent)
    assert handle not in (sent.handle, sent.seed, sent.csrf)
