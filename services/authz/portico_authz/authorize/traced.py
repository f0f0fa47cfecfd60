"""What a trace shows of an authorization request: each check with what it compared, from an allow-list of its own.

Only what is here can get into a trace: known words, registered values, lengths, and addresses without their query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from portico_contracts.traces import Hint, TraceCheck, TracedEndpoint
from portico_contracts.users import Client
from portico_oauth import redirect_uris
from portico_oauth.errors import ServiceError
from portico_oauth.pkce import METHODS
from portico_runtime.traces.recorder import Traced
from portico_runtime.traces.shown import (
    MOST_WANTED,
    Shown,
    shown_client_id,
    shown_length,
    shown_uri,
    shown_uris,
    shown_words,
)
from portico_runtime.traces.uri_hints import compare_uri

from portico_authz import provider_metadata
from portico_authz.authorize import KNOWN_PARAMETERS, names_until
from portico_authz.authorize.project_access import NO_ROLE, NOT_GRANTED
from portico_authz.context import Context
from portico_authz.dependencies import Dependencies


def trace_refusal(deps: Dependencies, ctx: Context, error: ServiceError) -> None:
    """Records a refused authorization request; described after the answer."""
    client = getattr(ctx, "client", None)

    async def describe() -> Traced:
        found = client or await _find_client(deps, ctx)
        return Traced(
            TracedEndpoint.AUTHORIZATION,
            found,
            ctx.parameters.get("client_id", ""),
            user_id=error.private.get("user", ""),
            user_org_id=error.private.get("user_org", ""),
            checks=checks_of(ctx, error, found),
        )

    deps.traces.refused(error, client.client_id if client else "", describe)


def checks_of(ctx: Context, error: ServiceError, client: Client | None) -> tuple[TraceCheck, ...]:
    """The checks that were made, in their order; the last one refused.

    Args:
        client: the registered client, also where it may not be used here.
    """
    if ctx.reached:
        *passed, refused = names_until(ctx.reached)
        return (
            *(_check(name, ctx, client, passed=True) for name in passed),
            _check(refused, ctx, client, passed=False),
        )
    after = _PROJECT_ACCESS if error.id in (NO_ROLE.id, NOT_GRANTED.id) else _SESSION
    last = after.explain(ctx, client).as_check(after.name, passed=False)
    return (*(_check(name, ctx, client, passed=True) for name in ctx.passed), last)


async def _find_client(deps: Dependencies, ctx: Context) -> Client | None:
    """An application that is registered, but not for people to sign in to; or none."""
    client_id = ctx.parameters.get("client_id")
    return await deps.directory.find_client(client_id) if client_id else None


def _check(name: str, ctx: Context, client: Client | None, *, passed: bool) -> TraceCheck:
    return EXPLANATIONS[name](ctx, client).as_check(name.removeprefix("check_"), passed=passed)


def _repeated(names: frozenset[str] | tuple[str, ...]) -> Callable[[Context, Client | None], Shown]:
    def explain(ctx: Context, _client: Client | None) -> Shown:
        repeated = sorted(ctx.parameters.repeated & frozenset(names))
        return Shown(" ".join(repeated), ("each once",), Hint.REPEATED if repeated else "")

    return explain


def _client(ctx: Context, client: Client | None) -> Shown:
    client_id = ctx.parameters.get("client_id")
    if client_id is None:
        return Shown(hint=Hint.MISSING)
    if client is None:
        return Shown(shown_client_id(client_id), ("an active application",), Hint.UNKNOWN)
    return Shown(f"{client.client_id} ({client.kind.value})", ("oidc",))


def _redirect_uri(ctx: Context, client: Client | None) -> Shown:
    given, registered = ctx.parameters.get("redirect_uri"), client.redirect_uris if client else ()
    if given is None:
        return Shown(wanted=shown_uris(registered), hint=Hint.MISSING)
    return compared_uri(given, registered, dev_mode=client.dev_mode if client else False)


def compared_uri(given: str, registered: tuple[str, ...], *, dev_mode: bool) -> Shown:
    """An address beside the registered ones, the most alike first."""
    if redirect_uris.is_registered(given, registered):
        usable = redirect_uris.may_register(given, dev_mode=dev_mode)
        return Shown(shown_uri(given), ("a registered address",), "" if usable else Hint.SCHEME)
    return compare_uri(given, registered)


def _response_type(ctx: Context, client: Client | None) -> Shown:
    registered = client.response_types if client else ()
    wanted = tuple(one for one in registered if one in provider_metadata.RESPONSE_TYPES)
    text = ctx.parameters.get("response_type")
    if text is None:
        return Shown(wanted=wanted, hint=Hint.MISSING)
    return Shown(shown_words(text, {"code", "id_token", "token", "none"}), wanted)


def _words(name: str, known: tuple[str, ...], wanted: tuple[str, ...] = ()) -> Callable[..., Shown]:
    def explain(ctx: Context, _client: Client | None) -> Shown:
        text = ctx.parameters.get(name)
        return Shown("" if text is None else shown_words(text, known), wanted or known[:MOST_WANTED])

    return explain


def _request_objects(ctx: Context, _client: Client | None) -> Shown:
    return Shown(" ".join(name for name in ("request", "request_uri") if name in ctx.parameters), ("neither",))


def _scope(ctx: Context, _client: Client | None) -> Shown:
    text = ctx.parameters.get("scope")
    if text is None:
        return Shown(wanted=("openid",), hint=Hint.MISSING)
    return Shown(shown_words(text, provider_metadata.SCOPES), ("openid",))


def _nonce(ctx: Context, _client: Client | None) -> Shown:
    return Shown(hint="" if ctx.parameters.get("nonce") else Hint.MISSING)


def _pkce(ctx: Context, _client: Client | None) -> Shown:
    challenge, method = ctx.parameters.get("code_challenge", ""), ctx.parameters.get("code_challenge_method")
    shown = "" if method is None else shown_words(method, {*METHODS, "plain"})
    if not challenge:
        return Shown(shown, ("code_challenge", "code_challenge_method=S256"), Hint.MISSING)
    hint = "" if method not in METHODS else Hint.MALFORMED
    return Shown(f"{shown} {shown_length(challenge)}".strip(), ("S256 (43 characters)",), hint)


def _length_of(name: str, wanted: str) -> Callable[..., Shown]:
    def explain(ctx: Context, _client: Client | None) -> Shown:
        text = ctx.parameters.get(name)
        return Shown() if text is None else Shown(shown_length(text), (wanted,), Hint.MALFORMED)

    return explain


def _sizes(ctx: Context, _client: Client | None) -> Shown:
    lengths = [f"{name} {shown_length(ctx.parameters.get(name, ''))}" for name in ("state", "nonce", "scope", "claims")]
    return Shown(" ".join(lengths), ("state at most 4096 bytes, nonce 1024, all together 12 KiB",))


def _hints(_ctx: Context, _client: Client | None) -> Shown:
    return Shown()


def _session(ctx: Context, _client: Client | None) -> Shown:
    """What the request demands of a session; nothing about the sessions of the browser."""
    demands = [f"prompt={word}" for word in sorted(ctx.prompts)]
    demands += [] if ctx.max_age is None else [f"max_age={ctx.max_age}"]
    demands += [f"acr={level}" for level in ctx.acr_requested]
    return Shown(" ".join(demands), ("a session that fits without interaction",))


def _project_access(_ctx: Context, client: Client | None) -> Shown:
    wanted = []
    if client and client.checks_roles:
        wanted.append("a role in the project")
    if client and client.checks_project:
        wanted.append("a grant of the project to the organization of the user")
    return Shown(wanted=tuple(wanted))


class _After(NamedTuple):
    name: str
    explain: Callable[[Context, Client | None], Shown]


_SESSION: Final = _After("session", _session)
_PROJECT_ACCESS: Final = _After("project_access", _project_access)

EXPLANATIONS: Final[dict[str, Callable[[Context, Client | None], Shown]]] = {
    "check_identity_repeats": _repeated(("client_id", "redirect_uri")),
    "check_client": _client,
    "check_redirect_uri": _redirect_uri,
    "check_repeats": _repeated(KNOWN_PARAMETERS),
    "check_response_type": _response_type,
    "check_response_mode": _words("response_mode", tuple(provider_metadata.RESPONSE_MODES)),
    "check_request_objects": _request_objects,
    "check_scope": _scope,
    "check_nonce": _nonce,
    "check_pkce": _pkce,
    "check_prompt": _words("prompt", tuple(provider_metadata.PROMPTS)),
    "check_max_age": _length_of("max_age", "at most ten digits"),
    "check_id_token_hint": _length_of("id_token_hint", "an id_token of this issuer"),
    "check_hints": _hints,
    "check_claims": _length_of("claims", "a JSON object of at most 4000 characters"),
    "check_sizes": _sizes,
}
"""One for each check of the grid."""
