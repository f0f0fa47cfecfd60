"""Checks scope: unknown words are dropped (OIDC Core section 3.1.2.1), one organization and provider at most.

Known are the scopes of OpenID Connect, of Portico, and of the APIs that the client may use. Where the request
names resources, only those of their APIs, and without any the default ones (decision 0092).
"""

from __future__ import annotations

from collections.abc import Awaitable
from functools import lru_cache
from typing import NamedTuple

from portico_contracts.diagnostics import Hint
from portico_contracts.users import Api, default_scope_of, scopes_of
from portico_oauth import scopes
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.grant_types import REFRESH_TOKEN
from portico_oauth.response_types import ResponseType
from portico_oauth.zitadel_names import readable_scope
from portico_runtime.diagnostics.shown import shown_words

from portico_authz import provider_metadata
from portico_authz.checked_request import RequestedScope, ScopedRequest

SCOPE_MALFORMED = ErrorCode(
    "AUTHZ-012", Kind.INVALID_SCOPE, "The scope is malformed.", "Send words separated by spaces."
)
OPENID_MISSING = ErrorCode(
    "AUTHZ-013", Kind.INVALID_SCOPE, "The scope must contain openid.", "Add openid to the scope."
)
COMMAS = ErrorCode(
    "AUTHZ-090",
    Kind.INVALID_SCOPE,
    "The scope has commas between its words.",
    "Separate the words of scope with spaces. Some client libraries join them with commas unless configured otherwise.",
)
TWO_ORGANIZATIONS = ErrorCode(
    "AUTHZ-014", Kind.INVALID_SCOPE, "The scope names more than one organization.", "Name one organization, or none."
)

TWO_PROVIDERS = ErrorCode(
    "AUTHZ-063",
    Kind.INVALID_SCOPE,
    "The scope names more than one identity provider.",
    "Name one identity provider, or none.",
)


def check_scope(ctx: ScopedRequest) -> Awaitable[None] | None:
    """Drops offline_access without a code or a client for refresh tokens (OIDC Core section 11)."""
    text = ctx.parameters.get("scope", "")
    if ctx.sources.zitadel_names:
        text = readable_scope(text)
    read = _read(text, zitadel_names=ctx.sources.zitadel_names) if len(text) <= scopes.MAX_LENGTH else None
    if read is None:
        raise SCOPE_MALFORMED.error(compared=compare_scope(ctx))
    if scopes.OPENID not in read.words and not _may_lack_openid(ctx):
        missing = COMMAS if _has_commas(text) else OPENID_MISSING
        raise missing.error(compared=compare_scope(ctx))
    if len(read.organizations) > 1:
        raise TWO_ORGANIZATIONS.error(compared=compare_scope(ctx))
    [org_id] = read.organizations or ("",)
    if len(read.providers) > 1:
        raise TWO_PROVIDERS.error(compared=compare_scope(ctx))
    [provider] = read.providers or ("",)
    refreshable = REFRESH_TOKEN in ctx.client.grant_types and ctx.response_type is ResponseType.CODE
    known = read.known if refreshable else read.known_offline_excluded
    ctx.scope = RequestedScope(read.words, known, org_id, provider)
    if ctx.targets:
        _keep_scopes_of_targets(ctx)
        return None
    return _keep_scopes_of_apis(ctx) if len(read.known) < len(read.words) else None


def _has_commas(text: str) -> bool:
    return scopes.OPENID not in text.split() and scopes.OPENID in text.replace(",", " ").split()


def _may_lack_openid(ctx: ScopedRequest) -> bool:
    """Without openid there is no id_token, so the response must have none."""
    return ctx.client.plain_oauth and bool(ctx.targets) and ctx.response_type is ResponseType.CODE


def _keep_scopes_of_targets(ctx: ScopedRequest) -> None:
    _keep(ctx, tuple(dict.fromkeys(target.api for target in ctx.targets)))
    if not scopes.of_apis(ctx.scope.words):
        ctx.scope = ctx.scope._replace(granted=(*ctx.scope.granted, *default_scope_of(ctx.scope.apis)))


async def _keep_scopes_of_apis(ctx: ScopedRequest) -> None:
    _keep(ctx, await ctx.sources.users_client.apis_of(ctx.client))


def _keep(ctx: ScopedRequest, apis: tuple[Api, ...]) -> None:
    offered, scope = scopes_of(apis), ctx.scope
    granted = tuple(word for word in scope.words if word in scope.granted or word in offered)
    ctx.scope = scope._replace(granted=granted, apis=apis)


class _Scope(NamedTuple):
    words: tuple[str, ...]
    known: tuple[str, ...]
    known_offline_excluded: tuple[str, ...]
    organizations: frozenset[str]
    providers: frozenset[str]


@lru_cache(maxsize=1_000)
def _read(text: str, *, zitadel_names: bool) -> _Scope | None:
    """Returns None for a malformed scope. Cached, because clients repeat the same few scopes."""
    words = scopes.split(text)
    if words is None:
        return None
    known = tuple(word for word in words if scopes.is_known(word) and (zitadel_names or not scopes.is_their_name(word)))
    return _Scope(
        tuple(words),
        known,
        tuple(word for word in known if word != scopes.OFFLINE_ACCESS),
        frozenset(filter(None, map(scopes.organization_in, known))),
        frozenset(filter(None, map(scopes.provider_in, known))),
    )


def compare_scope(ctx: ScopedRequest) -> Compared:
    """Diagnostics of the scope."""
    text = ctx.parameters.get("scope", "")
    hint = (Hint.MALFORMED if _has_commas(text) else "") if text else Hint.MISSING
    return Compared("scope", shown_words(text, provider_metadata.SCOPES), (scopes.OPENID,), hint)
