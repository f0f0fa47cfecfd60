"""An organization with its first member: both, or nothing."""

from __future__ import annotations

from typing import Final

from portico_contracts.apply import Password
from portico_contracts.generated.portico.admin.v1 import org_service_pb2 as pb

from portico_users.api.management_v1.users.humans import new_human_of
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.places import Places, at_places
from portico_users.api.transport.call import Call
from portico_users.codes.user_codes import UserCodes
from portico_users.commands.orgs import SetUpOrg
from portico_users.commands.people.new_human import NewHuman
from portico_users.directory.organizations.org import Org

_OF_ORG: Final[Places] = ((r"primaryDomain", "org.domain"), (r"(.+)", r"org.\1"))
_OF_HUMAN: Final[Places] = (
    (r"username", "human.userName"),
    (r"password\.password", "human.password"),
    (r"(.+)", r"human.\1"),
)


async def set_up_org(
    call: Call[None], request: pb.SetUpOrgRequest, *, set_up: SetUpOrg, codes: UserCodes
) -> pb.SetUpOrgResponse:
    """Creates the organization, the user and the membership in one transaction.

    Raises:
        ServiceError: of the rules for organizations and humans, each naming its field; USER-716 for a domain that is
            taken, USER-011 for a name, USER-040 for a role that does not exist in organizations.
    """
    with at_places(_OF_ORG):
        org = await set_up.plan_org(Org(id="", org_id="", name=request.org.name, primary_domain=request.org.domain))
    with at_places(_OF_HUMAN):
        human = await set_up.plan_human(org, _human(request.human, codes))
    record, user = await set_up(org, human, request.roles, actor=call.caller.user_id)
    return pb.SetUpOrgResponse(details=changed_details_of(record), org_id=record.id, user_id=user.id)


def _human(wanted: pb.SetUpOrgRequest.Human, codes: UserCodes) -> NewHuman:
    """The values of the human; the password is one that another person chose."""
    password = Password(password=wanted.password, change_required=True) if wanted.HasField("password") else None
    return new_human_of(wanted, codes, password=password, invited=password is None)
