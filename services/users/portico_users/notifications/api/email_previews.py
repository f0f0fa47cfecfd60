from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import sender_messages_pb2 as pb
from portico_web.languages import find_language

from portico_users.accounts.account import login_name
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.management_api.transport.call import Call
from portico_users.notifications.commands.send_test_email import SendTestEmail
from portico_users.notifications.email.message import EmailBranding, EmailMessage, EmailTemplate, render
from portico_users.notifications.email.samples import sample_values
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import PoliciesInForce
from portico_users.values.operator_settings import Issuer

_TEMPLATES: Final = {
    getattr(pb, f"EMAIL_TEMPLATE_{one.name}"): one
    for one in EmailTemplate
    if one not in (EmailTemplate.TEST, EmailTemplate.TEXT_LIMIT)
}
"""Those that users get; the others are for administrators."""


async def preview_email(
    call: Call[Org],
    request: pb.PreviewEmailRequest,
    *,
    accounts: MongoAccounts,
    policies: PoliciesInForce,
    issuer: Issuer,
) -> pb.PreviewEmailResponse:
    """Shows the caller's login name, which is one of those that the organization's users have."""
    org, account = call.target.subject, await accounts.find_active(call.caller.user_id)
    is_user = account is not None and isinstance(account.user, EndUser)
    name = login_name(account.user, account.org) if account and is_user else "ada@example.com"
    email = EmailMessage(
        template=_TEMPLATES[request.template],
        to="",
        language=_language(call, request),
        values=sample_values(issuer=issuer, organization=org.name, login_name=name),
        org_id=org.id,
        user_id="",
    )
    words = render(email, EmailBranding(await policies.branding(org.id)))
    return pb.PreviewEmailResponse(subject=words.subject, text=words.text, html=words.html)


async def send_email_preview(
    call: Call[Org], request: pb.PreviewEmailRequest, *, send: SendTestEmail
) -> pb.SendEmailPreviewResponse:
    sample = _TEMPLATES[request.template]
    address = await send.sample(call.caller.user_id, call.target.subject, sample, _language(call, request))
    return pb.SendEmailPreviewResponse(email=address)


def _language(call: Call[Org], request: pb.PreviewEmailRequest) -> str:
    found = find_language(request.language)
    return found.tag if found else call.language.tag
