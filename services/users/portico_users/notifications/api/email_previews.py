from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.generated.portico.management.v1 import sender_messages_pb2 as pb
from portico_web.languages import find_language

from portico_users.accounts.account import login_name
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.instance.instance import Instance
from portico_users.management_api.transport.call import Call, Subject
from portico_users.notifications.commands.send_test_email import SendTestEmail
from portico_users.notifications.email.message import EmailBranding, EmailMessage, EmailTemplate, Text, render
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


@dataclass(frozen=True, slots=True)
class EmailPreviews:
    accounts: MongoAccounts
    policies: PoliciesInForce
    issuer: Issuer

    async def find(self, call: Call[Subject], request: pb.PreviewEmailRequest, org: Org | None) -> Text:
        """Shows the caller's login name, which is one of those that the organization's users have.

        Without an organization, branding and texts are the instance's, and the name is that of the caller's one.
        """
        account = await self.accounts.find_active(call.caller.user_id)
        is_user = account is not None and isinstance(account.user, EndUser)
        name = login_name(account.user, account.org) if account and is_user else "ada@example.com"
        named, template, language = (
            org or (account and account.org),
            _TEMPLATES[request.template],
            _language(call, request),
        )
        values = sample_values(
            template,
            language,
            issuer=self.issuer,
            organization=named.name if named else self.issuer,
            login_name=name,
        )
        org_id = org.id if org else ""
        email = EmailMessage(template=template, to="", language=language, values=values, org_id=org_id, user_id="")
        return render(email, EmailBranding(await self.policies.branding(org_id)))


async def preview_email(
    call: Call[Org], request: pb.PreviewEmailRequest, *, previews: EmailPreviews
) -> pb.PreviewEmailResponse:
    return _response(await previews.find(call, request, call.target.subject))


async def preview_instance_email(
    call: Call[Instance], request: pb.PreviewEmailRequest, *, previews: EmailPreviews
) -> pb.PreviewEmailResponse:
    return _response(await previews.find(call, request, None))


async def send_email_preview(
    call: Call[Org], request: pb.PreviewEmailRequest, *, send: SendTestEmail
) -> pb.SendEmailPreviewResponse:
    return await _sent(send, call, request, call.target.subject)


async def send_instance_email_preview(
    call: Call[Instance], request: pb.PreviewEmailRequest, *, send: SendTestEmail
) -> pb.SendEmailPreviewResponse:
    return await _sent(send, call, request, None)


def _response(text: Text) -> pb.PreviewEmailResponse:
    return pb.PreviewEmailResponse(subject=text.subject, text=text.text, html=text.html)


async def _sent(
    send: SendTestEmail, call: Call[Subject], request: pb.PreviewEmailRequest, org: Org | None
) -> pb.SendEmailPreviewResponse:
    sample = _TEMPLATES[request.template]
    address = await send.sample(call.caller.user_id, org, sample, _language(call, request))
    return pb.SendEmailPreviewResponse(email=address)


def _language(call: Call[Subject], request: pb.PreviewEmailRequest) -> str:
    found = find_language(request.language)
    return found.tag if found else call.language.tag
