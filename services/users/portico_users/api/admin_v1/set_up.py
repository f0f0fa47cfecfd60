"""An organization with its first member: both, or nothing."""

from __future__ import annotations

from typing import Final

from portico_contracts.apply import Password
from portico_contracts.generated.portico.admin.v1 import org_service_pb2 as pb

from portico_users.api.management_v1.orgs.organizations import free_domain
from portico_users.api.management_v1.users.humans import new_human_of
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.places import Places, at_places
from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.codes.user_codes import UserCodes
from portico_users.commands.command import Commit
from portico_users.commands.people.create_human import CreateHuman
from portico_users.commands.people.new_human import NewHuman
from portico_users.directory.members.changes import add_member
from portico_users.directory.members.member import Member
from portico_users.directory.members.roles import Scope
from portico_users.directory.organizations.changes import put_org
from portico_users.directory.organizations.domains import DOMAIN_TAKEN
from portico_users.directory.organizations.org import Org
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import at

_OWNER: Final = "ORG_OWNER"
_OF_ORG: Final[Places] = ((r"primaryDomain", "org.domain"), (r"(.+)", r"org.\1"))
_OF_HUMAN: Final[Places] = (
    (r"username", "human.userName"),
    (r"password\.password", "human.password"),
    (r"(.+)", r"human.\1"),
)


async def set_up_org(
    call: Call[None], request: pb.SetUpOrgRequest, *, create_human: CreateHuman, codes: UserCodes, commit: Commit
) -> pb.SetUpOrgResponse:
    """Creates the organization, the user and the membership in one transaction.

    Raises:
        ServiceError: of the rules for organizations and humans, each naming its field; USER-716 for a domain that is
            taken, USER-011 for a name, USER-040 for a role there is not in organizations.
    """
    with at_places(_OF_ORG):
        organization = await _organization(call.needs, request.org)
    org = organization.after
    with at_places(_OF_HUMAN):
        planned = await create_human.plan(org, _human(request.human, codes))
        human = await create_human.hash_password(planned)
    member = Member(
        id=call.needs.new_id(),
        org_id=org.id,
        user_id=human.after.id,
        scope=Scope.ORGANIZATION,
        scope_id=org.id,
        roles=tuple(sorted(set(request.roles) or {_OWNER})),
    )
    entries = (organization, human, add_member(None, member))
    record, user, _ = await commit.all(entries, actor=call.caller.user_id)
    return pb.SetUpOrgResponse(details=changed_details_of(record), org_id=record.id, user_id=user.id)


async def _organization(needs: Needs, wanted: pb.SetUpOrgRequest.Org) -> Entry[Org]:
    id = needs.new_id()
    domain = wanted.domain or await free_domain(needs, wanted.name, id)
    entry = put_org(None, Org(id=id, org_id=id, name=wanted.name, primary_domain=domain))
    if await needs.orgs.find_by_domain(domain) is not None:
        raise at("primaryDomain", DOMAIN_TAKEN.error())
    return entry


def _human(wanted: pb.SetUpOrgRequest.Human, codes: UserCodes) -> NewHuman:
    """The values of the human; the password is one that another person chose."""
    password = Password(password=wanted.password, change_required=True) if wanted.HasField("password") else None
    return new_human_of(wanted, codes, password=password, invited=password is None)
