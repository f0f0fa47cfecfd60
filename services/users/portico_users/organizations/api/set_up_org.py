"""Organizations set up with their first user."""

from __future__ import annotations

from typing import Final

from portico_contracts.apply import Password
from portico_contracts.generated.portico.admin.v1 import org_service_pb2 as org_service_pb

from portico_users.end_users.codes.user_codes import UserCodes
from portico_users.end_users.messages import new_human_of
from portico_users.end_users.new_end_user import NewEndUser
from portico_users.management_api.protobuf.details import changed_details_of
from portico_users.management_api.protobuf.places import Places, at_places
from portico_users.management_api.transport.call import Call
from portico_users.organizations.edit_organizations import SetUpOrg
from portico_users.organizations.org import Org

_OF_ORG: Final[Places] = ((r"primaryDomain", "org.domain"), (r"(.+)", r"org.\1"))


_OF_HUMAN: Final[Places] = (
    (r"username", "human.userName"),
    (r"password\.password", "human.password"),
    (r"(.+)", r"human.\1"),
)


async def set_up_org(
    call: Call[None], request: org_service_pb.SetUpOrgRequest, *, set_up: SetUpOrg, codes: UserCodes
) -> org_service_pb.SetUpOrgResponse:
    with at_places(_OF_ORG):
        org = await set_up.plan_org(Org(id="", org_id="", name=request.org.name, primary_domain=request.org.domain))
    with at_places(_OF_HUMAN):
        human = await set_up.plan_end_user(org, _end_user(request.human, codes))
    record, user = await set_up(org, human, request.roles, actor=call.caller.user_id)
    return org_service_pb.SetUpOrgResponse(details=changed_details_of(record), org_id=record.id, user_id=user.id)


def _end_user(wanted: org_service_pb.SetUpOrgRequest.Human, codes: UserCodes) -> NewEndUser:
    password = Password(password=wanted.password, change_required=True) if wanted.HasField("password") else None
    return new_human_of(wanted, codes, password=password, invited=password is None)
