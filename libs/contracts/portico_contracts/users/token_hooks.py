"""Token hooks: webhooks that add claims to tokens before they are issued (decision 0149)."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any, Final

import msgspec
from portico_oauth.claim_names import is_private
from portico_oauth.json_depth import is_deeper

from portico_contracts.subjects import Message, Rpc
from portico_contracts.users.claim_rules import ClaimPlace, keeps_its_digits

MOST_HOOK_BYTES: Final = 4_096
"""Bytes of an answer, which is stored with the grant."""

MOST_HOOK_CLAIMS: Final = 50
"""Claims of an answer in one place."""

PlacedClaims = dict[ClaimPlace, dict[str, Any]]
"""Claims by the place that shows them."""


class OnFailure(StrEnum):
    """What happens to a request when its token hook fails."""

    CLOSED = "closed"
    """It is refused."""
    OPEN = "open"
    """Its tokens are issued without the claims of the hook."""


class HookFailure(StrEnum):
    """Why a call of a token hook gave nothing."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    STATUS = "status"
    """It was answered with another status than 200."""
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    RESERVED = "reserved"
    """A claim has a name that a specification, Portico or the application uses."""
    RESTING = "resting"
    """It was not called, because it failed several times."""
    BUSY = "busy"
    """It was not called, because too many calls are in progress."""
    NO_SECRET = "no_secret"
    """Its secret cannot be decrypted."""


class TokenHook(Message, frozen=True):
    """The hook of an application.

    Attributes:
        id: of the webhook.
        at_refresh: it is called at each refresh, too.
    """

    id: str
    on_failure: OnFailure = OnFailure.CLOSED
    at_refresh: bool = False


class CallTokenHook(Message, frozen=True):
    """Requests the call of a hook before tokens are issued.

    Attributes:
        claims: those about the user that the application may read with the scope.
        actor_id: id of the user who acts for this one; empty for the user.
        taken: names that the application uses for roles and groups.
    """

    hook_id: str
    client_id: str
    project_id: str
    user_id: str
    user_org_id: str
    scope: tuple[str, ...]
    claims: dict[str, str | int | bool | dict[str, str]]
    is_refresh: bool = False
    actor_id: str = ""
    taken: tuple[str, ...] = ()


class TokenHookCalled(Message, frozen=True):
    """The claims of an answer that is allowed as a whole, or why there are none."""

    claims: PlacedClaims = {}
    failure: HookFailure | None = None


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    id_token: dict[str, Any] = {}
    access_token: dict[str, Any] = {}
    userinfo: dict[str, Any] = {}
    introspection: dict[str, Any] = {}


_decode = msgspec.json.Decoder(_Answer).decode


def read_hook_answer(body: bytes, taken: Collection[str]) -> PlacedClaims | HookFailure:
    """The claims by place, without those that are null; a failure where any part of the answer is not allowed."""
    if len(body) > MOST_HOOK_BYTES:
        return HookFailure.TOO_LARGE
    try:
        answer = msgspec.structs.asdict(_decode(body))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return HookFailure.MALFORMED
    if failure := _failure_of(answer, taken):
        return failure
    return {
        ClaimPlace(place): {name: value for name, value in claims.items() if value is not None}
        for place, claims in answer.items()
        if claims
    }


def _failure_of(answer: dict[str, dict[str, Any]], taken: Collection[str]) -> HookFailure | None:
    if is_deeper(answer) or not keeps_its_digits(answer):
        return HookFailure.MALFORMED
    if any(len(claims) > MOST_HOOK_CLAIMS for claims in answer.values()):
        return HookFailure.TOO_LARGE
    allowed = all(may_add(name, taken) for claims in answer.values() for name in claims)
    return None if allowed else HookFailure.RESERVED


def may_add(name: str, taken: Collection[str]) -> bool:
    """Reports whether a hook may add a claim of this name: checked in its answer, and again where it is shown."""
    return is_private(name) and name not in taken


CALL_TOKEN_HOOK = Rpc("users.v1.token_hook.call", CallTokenHook, TokenHookCalled, ("token",))
