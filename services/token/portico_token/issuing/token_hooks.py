"""Asks users to call the token hook of an application, before its tokens are issued (decision 0149)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from portico_contracts.users import (
    CALL_TOKEN_HOOK,
    CallTokenHook,
    HookFailure,
    OnFailure,
    TokenHook,
    TokenHookCalled,
)
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_runtime.bus.bus import Bus

from portico_token.cached_users import CachedUsers
from portico_token.domain.claims import user_claims
from portico_token.domain.grants import HookClaims
from portico_token.grants.results import GrantResult, NewGrant, RefreshedGrant
from portico_token.issuing.subject import user_inactive

TOKEN_HOOK: Final = "token_hook"
"""The check of diagnostics."""

HOOK_FAILED = ErrorCode(
    "TOKEN-298",
    Kind.UNAVAILABLE,
    "The token hook of the application failed.",
    "Try again. An administrator sees the failed calls at the webhook with token.issue, and can set onFailure to open.",
)

_CALL_SECONDS: Final = 1.5
"""Of the message to users, which calls the hook for half a second at most."""


class TokenHooks:
    def __init__(self, bus: Bus, users: CachedUsers) -> None:
        self._bus = bus
        self._users = users

    async def ask(self, granted: GrantResult) -> GrantResult:
        """The result with the claims of the hook in its grant; unchanged where none is called, or an open one failed.

        Service users and exchanged tokens have no call. Raises TOKEN-298, and TOKEN-040 for an inactive user.
        """
        hook = granted.client.token_hook
        if hook is None or not isinstance(granted, NewGrant | RefreshedGrant):
            return granted
        is_refresh = isinstance(granted, RefreshedGrant)
        if is_refresh and not hook.at_refresh:
            return granted
        called = await self._call(granted, hook, is_refresh=is_refresh)
        if called.failure is None:
            kept = HookClaims(hook.id, called.claims) if called.claims else None
            return _with_claims(granted, kept)
        if hook.on_failure is OnFailure.CLOSED:
            compared = Compared(TOKEN_HOOK, called.failure.value)
            raise HOOK_FAILED.error(webhook=hook.id, cause=called.failure.value, compared=compared)
        return replace(_with_claims(granted, None), hook_failure=called.failure)

    async def _call(self, granted: GrantResult, hook: TokenHook, *, is_refresh: bool) -> TokenHookCalled:
        grant, client, scope = granted.grant, granted.client, granted.id_token.scope
        person = await self._users.claims_of(grant.user_id, granted.version)
        if person.user is None:
            raise user_inactive(granted)
        claims: dict[str, Any] = user_claims(person, scope, ())
        ask = CallTokenHook(
            hook_id=hook.id,
            client_id=client.client_id,
            project_id=client.project_id,
            user_id=grant.user_id,
            user_org_id=person.user.org_id,
            scope=scope,
            claims=claims,
            is_refresh=is_refresh,
            actor_id=grant.actor,
            taken=tuple(filter(None, (client.roles_claim, client.groups_claim))),
        )
        try:
            return await self._bus.call(CALL_TOKEN_HOOK, ask, seconds=_CALL_SECONDS)
        except ServiceError as error:
            if error.kind is not Kind.UNAVAILABLE:
                raise
            return TokenHookCalled(failure=HookFailure.UNREACHABLE)


def _with_claims(granted: NewGrant | RefreshedGrant, kept: HookClaims | None) -> NewGrant | RefreshedGrant:
    grant = granted.grant
    if grant.hook == kept:
        return granted
    if isinstance(granted, RefreshedGrant):
        return replace(granted, grant=replace(grant, hook=kept), changes_grant=True)
    return replace(granted, grant=replace(grant, hook=kept))
