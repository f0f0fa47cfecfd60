"""Makes registration links."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb
from portico_contracts.http import REGISTER_PASSKEY_PAGE
from portico_oauth.errors import ErrorCode, Kind
from portico_web.languages import pick_language

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.api.user_v2.credentials.person import human_of, org_of
from portico_users.credentials.webauthn.registration_links import Link
from portico_users.directory.accounts.account import AnyUser, login_name
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human
from portico_users.directory.people.url_templates import INVALID_TEMPLATE, filled, is_url_template, page_template
from portico_users.kernel.problems import at
from portico_users.notifications.email.message import EmailMessage, EmailTemplate

PAGE_MISSING = ErrorCode(
    "USER-542",
    Kind.INVALID_REQUEST,
    "The address of the page where the passkey is registered has no place for the code.",
    "Give a urlTemplate with the placeholders CodeID and Code, or leave it out for a page of this service.",
)
EMAIL_OFF = ErrorCode(
    "USER-543", Kind.UNAVAILABLE, "No mails can be sent here.", "Ask the operator to set PORTICO_SMTP_HOST."
)

_CODE_ID = "{{.CodeID}}"
_PLACE = "sendLink.urlTemplate"


async def create_passkey_registration_link(
    call: Call[AnyUser], request: pb.CreatePasskeyRegistrationLinkRequest
) -> pb.CreatePasskeyRegistrationLinkResponse:
    """Mails a link, or returns its code. Nothing of the user changes.

    Raises:
        ServiceError: USER-331 and USER-542 for the template, USER-506, USER-543, `unavailable`.
    """
    human, links = human_of(call), call.needs.credentials.links
    link = links.new_link()
    answer = pb.CreatePasskeyRegistrationLinkResponse(details=changed_details_of(human))
    if request.WhichOneof("medium") == "return_code":
        await links.keep(human.id, link, None)
        answer.code.CopyFrom(pb.PasskeyRegistrationCode(id=link.id, code=link.code))
        return answer
    org = await org_of(call, human)
    require_email_queue(call.needs)
    address = address_of(link, human, org, template_of(call.needs, org, request.send_link.url_template, _PLACE))
    await links.keep(human.id, link, message_with(call.needs, human, org, address))
    return answer


def require_email_queue(needs: Needs) -> None:
    """Returns where mails can be sent; USER-543 where they cannot."""
    if needs.credentials.links.email_queue is None:
        raise EMAIL_OFF.error()


def template_of(needs: Needs, org: Org, wanted: str, place: str) -> str:
    """The template of a link: the one that is wanted, or that of our own page.

    Args:
        place: of the template in the request.

    Raises:
        ServiceError: USER-542 for a template without places for the code, USER-331 for one that may not be used (HH-06).
    """
    if not wanted:
        return f"{page_template(needs.issuer + REGISTER_PASSKEY_PAGE)}&codeID={_CODE_ID}"
    if _CODE_ID not in wanted or "{{.Code}}" not in wanted:
        raise at(place, PAGE_MISSING.error())
    if not is_url_template(wanted.replace(_CODE_ID, "x"), org.mail_link_hosts):
        raise at(place, INVALID_TEMPLATE.error())
    return wanted


def address_of(link: Link, human: Human, org: Org, template: str) -> str:
    """The address that has a link's code in it, from what `template_of` gave."""
    # The id has no character a link would have to encode.
    template_of_link = template.replace(_CODE_ID, link.id)
    values = {"UserID": human.id, "Code": link.code, "OrgID": org.id, "LoginName": login_name(human, org)}
    return filled(template_of_link, values)


def message_with(needs: Needs, human: Human, org: Org, address: str) -> EmailMessage:
    """The letter that brings somebody such an address."""
    return EmailMessage(
        template=EmailTemplate.REGISTER_PASSKEY,
        to=human.email,
        language=pick_language((human.preferred_language,)).tag,
        values={
            "issuer": needs.credentials.keys.relying_party.issuer,
            "organization": org.name,
            "link": address,
            "login_name": human.user_name,
        },
    )
