"""Registration links as older clients ask for them: returned whole, or mailed."""

from __future__ import annotations

from typing import Final, NamedTuple

from google.protobuf.duration_pb2 import Duration
from portico_contracts.generated.portico.management.v1 import human_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.api.user_v2.credentials.passkey_links import (
    address_of,
    message_with,
    require_email_queue,
    template_of,
)
from portico_users.api.user_v2.credentials.person import human_of, org_of
from portico_users.credentials.webauthn.registration_links import SECONDS
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Work

LIFETIME: Final = Duration(seconds=int(SECONDS))

_PLACE: Final = "urlTemplate"


class MailedLink(NamedTuple):
    """A link that is good once its work is done in a transaction.

    Attributes:
        address: what is mailed.
    """

    address: str
    work: Work


async def add_passwordless_registration(
    call: Call[AnyUser], request: pb.AddPasswordlessRegistrationRequest
) -> pb.AddPasswordlessRegistrationResponse:
    """Returns a link, and mails nothing. Raises as `create_passkey_registration_link`."""
    human, links = human_of(call), call.needs.credentials.links
    link = links.new_link()
    org = await org_of(call, human)
    address = address_of(link, human, org, template_of(call.needs, org, request.url_template, _PLACE))
    await links.keep(human.id, link, None)
    return pb.AddPasswordlessRegistrationResponse(details=changed_details_of(human), link=address, expiration=LIFETIME)


async def send_passwordless_registration(
    call: Call[AnyUser], request: pb.SendPasswordlessRegistrationRequest
) -> pb.SendPasswordlessRegistrationResponse:
    """Mails a link. Raises as `create_passkey_registration_link`."""
    human, links = human_of(call), call.needs.credentials.links
    require_email_queue(call.needs)
    link = links.new_link()
    org = await org_of(call, human)
    address = address_of(link, human, org, template_of(call.needs, org, request.url_template, _PLACE))
    await links.keep(human.id, link, message_with(call.needs, human, org, address))
    return pb.SendPasswordlessRegistrationResponse(details=changed_details_of(human))


def mailed_link(needs: Needs, human: Human, org: Org, template: str, place: str) -> MailedLink:
    """A link for a human who is about to be created.

    Raises:
        ServiceError: USER-331, USER-542, USER-543.
    """
    require_email_queue(needs)
    links = needs.credentials.links
    link = links.new_link()
    address = address_of(link, human, org, template_of(needs, org, template, place))
    return MailedLink(address, links.write(human.id, link, message_with(needs, human, org, address)))
