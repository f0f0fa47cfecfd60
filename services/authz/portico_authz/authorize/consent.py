"""Consent: whether the user allowed the application what it requests (OpenID Connect Core section 3.1.2.4)."""

from __future__ import annotations

from portico_contracts.users import Consent
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize.decide import AskConsent, Decision, Issue, Refuse
from portico_authz.checked_request import CheckedRequest
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Consented, Progress
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session

CONSENT_REQUIRED = ErrorCode(
    "AUTHZ-252",
    Kind.CONSENT_REQUIRED,
    "The user has to allow what the application requests.",
    "Send the request again without prompt=none.",
)


async def with_consent(deps: Dependencies, ctx: CheckedRequest, decision: Decision, progress: Progress) -> Decision:
    """Asks the user where a session suffices and the application requests consent that was not given.

    A device always needs this page, even if the user allowed the application before: another person may have
    started it.
    """
    if (ctx.client.consent is Consent.NONE and ctx.device is None) or not isinstance(decision, Issue):
        return decision
    if await _is_given(deps, ctx, decision.session, progress):
        return decision
    return Refuse(CONSENT_REQUIRED) if Prompt.NONE in ctx.prompts else AskConsent(decision.session)


async def _is_given(deps: Dependencies, ctx: CheckedRequest, session: Session, progress: Progress) -> bool:
    wanted = {*ctx.to_be_allowed}
    given = progress.under_way
    if isinstance(given, Consented) and given.user_id == session.user_id and wanted <= {*given.allowed}:
        return True
    if ctx.device or ctx.client.consent is Consent.ALWAYS or Prompt.CONSENT in ctx.prompts:
        return False
    return wanted <= await deps.users_client.consent(session.user_id, ctx.client.client_id, session.version)
