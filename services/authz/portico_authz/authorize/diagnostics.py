"""Records refused authorization requests: the checks that passed, and the one that refused with what it compared."""

from __future__ import annotations

from portico_contracts.diagnostics import DiagnosedEndpoint, DiagnosticCheck
from portico_contracts.users import Client
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import Compared, Kind, ServiceError
from portico_runtime.diagnostics.recorder import DiagnosticSubject
from portico_runtime.diagnostics.shown import LONGEST_SHOWN, as_check

from portico_authz.authorize import passed_checks
from portico_authz.checked_request import CheckedRequest, SentRequest, in_checks
from portico_authz.dependencies import Dependencies


def record_error(
    deps: Dependencies,
    sent: SentRequest,
    error: ServiceError,
    endpoint: DiagnosedEndpoint = DiagnosedEndpoint.AUTHORIZATION,
) -> None:
    ctx = in_checks(sent)
    client = getattr(ctx, "client", None)

    async def describe() -> DiagnosticSubject:
        return DiagnosticSubject(
            endpoint,
            client or await _find_client(deps, ctx),
            ctx.parameters.get("client_id", ""),
            user_id=error.private.get("user", ""),
            user_org_id=error.private.get("user_org", ""),
            checks=_checks(ctx, error),
        )

    deps.traces.refused(error, client.client_id if client else "", describe)


def _checks(ctx: CheckedRequest, error: ServiceError) -> tuple[DiagnosticCheck, ...]:
    missing = _compare_consent if error.kind is Kind.CONSENT_REQUIRED else _compare_session
    refused = error.compared or missing(ctx)
    return (*(as_check(one, passed=True) for one in passed_checks(ctx)), as_check(refused, passed=False))


async def _find_client(deps: Dependencies, ctx: CheckedRequest) -> Client | None:
    """An application that is registered, but not for users to sign in to; or none.

    A client by metadata document belongs to no organization until the request shows whose policy counts.
    """
    client_id = ctx.parameters.get("client_id")
    if not client_id or host_of_client_id(client_id):
        return None
    return await deps.users_client.find_client(client_id)


def _compare_consent(ctx: CheckedRequest) -> Compared:
    """What the user has to allow; not what this user has allowed."""
    wanted = " ".join(dict.fromkeys(one.scope for one in ctx.to_be_allowed))
    return Compared("consent", wanted[:LONGEST_SHOWN], ("everything allowed by the user before",))


def _compare_session(ctx: CheckedRequest) -> Compared:
    """What the request demands of a session; nothing about the sessions of the browser."""
    demands = [f"prompt={word}" for word in sorted(ctx.prompts)]
    demands += [] if ctx.max_age is None else [f"max_age={ctx.max_age}"]
    demands += [f"acr={level}" for level in ctx.acr.words]
    return Compared("session", " ".join(demands), ("a session that fits without interaction",))
