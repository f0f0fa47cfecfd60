"""Texts of errors that users explains for all services: what was wrong with a request, and how to correct it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generated_pages.errors_page import all_error_codes
from portico_oauth.errors import ErrorCode
from portico_runtime.diagnostics.recorder import NO_REFUSALS
from portico_users.identity_providers.commands.sign_ins import is_provider_error
from portico_users.management_api.transport.refused_calls import TRACED

_OWN: Final = "USER-"
_OF_REQUESTS: Final = ("AUTHZ-", "OAUTH-", "PORT-", "TOKEN-", "WEB-")


def reasons() -> Iterator[str]:
    """Of refused requests, of refused calls of the management API, and of sign-ins with identity providers."""
    for code in sorted(all_error_codes(), key=lambda one: one.id):
        if _is_shown(code):
            # The texts of users itself are in its catalogue anyway, with their ids.
            yield from (code.fix,) if code.id.startswith(_OWN) else (code.text, code.fix)


def _is_shown(code: ErrorCode) -> bool:
    if code.id.startswith(_OWN):
        return code.kind in TRACED or is_provider_error(code.error())
    return code.id.startswith(_OF_REQUESTS) and code.kind not in NO_REFUSALS
