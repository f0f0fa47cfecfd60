"""Processes a form in five stages (see `portico_authz.login`); its CSRF value is consumed first (LG-14)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Final

from msgspec import Struct
from portico_contracts.login import Answer
from portico_contracts.login_steps import AnyStep
from portico_contracts.step_names import StepName
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import equal_in_constant_time

from portico_authz.authorize.agents import agent_at
from portico_authz.authorize.restart import or_restart
from portico_authz.dependencies import Dependencies
from portico_authz.login.advance import advance
from portico_authz.login.build_step import build_step
from portico_authz.login.continue_login import complete_login
from portico_authz.login.named_user import without_named_user
from portico_authz.login.offer_passkey import as_passkey
from portico_authz.login.open_login import open_login
from portico_authz.login.repeat_submission import repeat_submission, replay_submission
from portico_authz.login.state import Login
from portico_authz.login.steps.login_name import after_name, entered_name
from portico_authz.login.verify_submission import FORM_USED, is_verified_again, verify_submission

MAX_TEXT: Final = 200
"""Maximum characters of an entered text, as specified."""

MAX_CREDENTIAL: Final = 8_192
"""Maximum characters of a WebAuthn response; real ones have one or two thousand."""

MAX_LANGUAGES: Final = 20

MAX_SCOPES: Final = 2_000
"""Maximum number of words: that of the longest scope parameter."""

_LIMITS: Final = {"credential": MAX_CREDENTIAL, "scopes": MAX_SCOPES}
"""Of the fields with another limit than `MAX_TEXT`."""

_NOT_ENTERED: Final = frozenset({"browser", "csrf", "address", "language", "picture"})

TOO_LONG = ErrorCode(
    "LOGIN-002",
    Kind.INVALID_REQUEST,
    "The login name or password is longer than 200 characters.",
    "Enter at most 200 characters.",
)


async def handle_submission(deps: Dependencies, id: str, answer: Answer) -> AnyStep:
    """Raises LOGIN-001 for a CSRF value that is not current, LOGIN-002, AUTHZ-028, AUTHZ-030, AUTHZ-031."""
    _check_lengths(answer)
    answer, named_user = without_named_user(as_passkey(answer))
    try:
        login = await open_login(deps, id, answer.browser, agent_at(deps, answer.address))
    except ServiceError as error:
        return await or_restart(deps, id, error)
    if login.is_retry:
        return await build_step(deps, await replay_submission(deps, login, answer))
    if login.step is StepName.DONE and not _is_cancelled(login, answer):
        return await build_step(deps, await complete_login(deps, login))
    login = replace(login, to_application=answer.to_application, named=named_user)
    named = await entered_name(deps, login, answer)
    try:
        login = await verify_submission(deps, login, answer, named)
    except ServiceError as error:
        if error.id != FORM_USED.id or is_verified_again(answer):
            raise
        return await repeat_submission(deps, id, answer)
    try:
        transition = await after_name(deps, login, named) if named else await advance(deps, login, answer)
        if named or transition.rotation is not None:
            return await build_step(deps, transition)
        step, _ = await asyncio.gather(build_step(deps, transition), deps.stores.requests.settle(id, answer.csrf))
        return step
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            # The answer was not processed, so its form may be submitted again.
            with suppress(ServiceError):
                await deps.stores.requests.replace_csrf(id, login.csrf, answer.csrf)
        raise


def _is_cancelled(login: Login, answer: Answer) -> bool:
    """Reports whether its open form was cancelled; a sign-in of another tab alone does not answer this request."""
    return answer.cancel and equal_in_constant_time(login.request.csrf, answer.csrf)


def _check_lengths(answer: Answer) -> None:
    if len(answer.languages) > MAX_LANGUAGES or _is_too_long(answer):
        raise TOO_LONG.error()


def _is_too_long(message: Struct) -> bool:
    """Reports whether any text is too long, in any field, so that fields of a new step have a limit too."""
    for name in message.__struct_fields__:
        value = None if name in _NOT_ENTERED else getattr(message, name)
        texts = value if isinstance(value, tuple) and name not in _LIMITS else (value,)
        for text in texts:
            if isinstance(text, Struct) and _is_too_long(text):
                return True
            if isinstance(text, str | tuple) and len(text) > _LIMITS.get(name, MAX_TEXT):
                return True
    return False
