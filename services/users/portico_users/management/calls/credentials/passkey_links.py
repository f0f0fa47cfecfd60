"""Makes registration links."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb
from portico_oauth.errors import Fact, Kind
from portico_web.languages import pick_language

from portico_users.accounts.account import AnyUser, login_name
from portico_users.credentials.passkey_links import Link
from portico_users.domain.problems import at
from portico_users.humans.human import Human
from portico_users.humans.url_templates import TEMPLATE_REFUSED, filled, is_url_template
from portico_users.mail.letter import Letter, Template
from portico_users.management.call import Call
from portico_users.management.calls.credentials.person import human_of, org_of
from portico_users.management.calls.details import changed_details_of
from portico_users.management.needs import Needs
from portico_users.orgs.org import Org

PAGE_MISSING = Fact(
    "USER-542",
    Kind.MALFORMED,
    "A link needs the address of the page where the passkey is registered.",
    "Give a urlTemplate with the placeholders CodeID and Code, or ask for returnCode.",
)
MAILS_OFF = Fact(
    "USER-543", Kind.UNAVAILABLE, "No mails can be sent here.", "Ask the operator to set PORTICO_SMTP_HOST."
)

_CODE_ID = "{{.CodeID}}"
_PLACE = "sendLink.urlTemplate"


async def create_passkey_registration_link(
    call: Call[AnyUser], request: pb.CreatePasskeyRegistrationLinkRequest
) -> pb.CreatePasskeyRegistrationLinkResponse:
    """Mails a link, or returns its code. Nothing of the user changes.

    Raises:
        Refusal: USER-331 and USER-542 for the template, USER-506, USER-543, `unavailable`.
    """
    human, links = human_of(call), call.needs.credentials.links
    link = links.new_link()
    answer = pb.CreatePasskeyRegistrationLinkResponse(details=changed_details_of(human))
    if request.WhichOneof("medium") == "return_code":
        await links.keep(human.id, link, None)
        answer.code.CopyFrom(pb.PasskeyRegistrationCode(id=link.id, code=link.code))
        return answer
    org = await org_of(call, human)
    require_mails(call.needs)
    address = address_of(link, human, org, request.send_link.url_template, _PLACE)
    await links.keep(human.id, link, letter_with(call.needs, human, org, address))
    return answer


def require_mails(needs: Needs) -> None:
    """Returns where mails can be sent; USER-543 where they cannot."""
    if needs.credentials.links.mails is None:
        raise MAILS_OFF.refusal()


def address_of(link: Link, human: Human, org: Org, template: str, place: str) -> str:
    """The address that has a link's code in it.

    Args:
        place: of the template in the request.

    Raises:
        Refusal: USER-542 without a template that has places for the code, USER-331 for one that may not be used (HH-06).
    """
    # The id has no character a link would have to encode.
    template_of_link = template.replace(_CODE_ID, link.id)
    if template_of_link == template or "{{.Code}}" not in template:
        raise at(place, PAGE_MISSING.refusal())
    if not is_url_template(template_of_link, org.mail_link_hosts):
        raise at(place, TEMPLATE_REFUSED.refusal())
    values = {"UserID": human.id, "Code": link.code, "OrgID": org.id, "LoginName": login_name(human, org)}
    return filled(template_of_link, values)


def letter_with(needs: Needs, human: Human, org: Org, address: str) -> Letter:
    """The letter that brings somebody such an address."""
    return Letter(
        template=Template.REGISTER_PASSKEY,
        to=human.email,
        language=pick_language((human.preferred_language,)).tag,
        values={
            "issuer": needs.credentials.keys.relying_party.issuer,
            "organization": org.name,
            "link": address,
            "login_name": human.user_name,
        },
    )
