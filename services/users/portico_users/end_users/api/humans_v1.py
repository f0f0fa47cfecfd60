"""Humans as `portico.management.v1` creates them, and links that register a passkey."""

from __future__ import annotations

import dataclasses
from typing import Final

from portico_contracts.apply import HashedPassword, Password
from portico_contracts.generated.portico.management.v1 import human_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.credentials.messages import LIFETIME
from portico_users.credentials.passkey_links import CreatePasskeyLink, LinkRequest
from portico_users.credentials.passwords.imported_hashes import is_made_by
from portico_users.end_users.codes.user_codes import UserCodes
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.idp_links import IdpLink
from portico_users.end_users.messages import new_human_of
from portico_users.management_api.protobuf.details import changed_details_of
from portico_users.management_api.protobuf.places import ADDED, IMPORTED, at_places
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.values.problems import at

_Registration = pb.ImportHumanUserResponse.PasswordlessRegistration
_PLACE: Final = "passwordlessUrlTemplate"

ALGORITHM_DIFFERS = ErrorCode(
    "USER-891",
    Kind.INVALID_REQUEST,
    "The hash was made with another algorithm.",
    "Omit algorithm. It is detected from the hash.",
)


async def add_human_user(
    call: Call[Org], request: pb.AddHumanUserRequest, *, create_human: CreateEndUser, codes: UserCodes
) -> pb.AddHumanUserResponse:
    password = Password(password=request.initial_password, change_required=True) if request.initial_password else None
    new = new_human_of(request, codes, password=password, invited=not password)
    with at_places(ADDED):
        created = await create_human(call.target.subject, new, actor=call.caller.user_id)
    return pb.AddHumanUserResponse(user_id=created.human.id, details=changed_details_of(created.human))


async def import_human_user(
    call: Call[Org],
    request: pb.ImportHumanUserRequest,
    *,
    create_human: CreateEndUser,
    create_link: CreatePasskeyLink,
    codes: UserCodes,
) -> pb.ImportHumanUserResponse:
    password, passwordless = _password(request), request.request_passwordless_registration
    new = new_human_of(request, codes, password=password, invited=not (password or request.idps or passwordless))
    links = [IdpLink(idp_id=i.config_id, user_id=i.external_user_id, user_name=i.display_name) for i in request.idps]
    new = dataclasses.replace(new, idp_links=tuple(links))
    org, registration = call.target.subject, None
    if passwordless:
        id = create_human.new_id()
        requested = LinkRequest(request.passwordless_url_template, _PLACE)
        link = create_link.plan(new.as_end_user(id, org.id), org, requested)
        new = dataclasses.replace(new, id=id, side_writes=(link.work,))
        registration = _Registration(link=link.address, lifetime=LIFETIME, expiration=LIFETIME)
    with at_places(IMPORTED):
        human = (await create_human(org, new, actor=call.caller.user_id)).human
    details = changed_details_of(human)
    return pb.ImportHumanUserResponse(user_id=human.id, details=details, passwordless_registration=registration)


def _password(request: pb.ImportHumanUserRequest) -> Password | HashedPassword | None:
    change_required = request.password_change_required
    match request.WhichOneof("password_type"):
        case "password":
            return Password(password=request.password, change_required=change_required)
        case "hashed_password":
            hashed = request.hashed_password
            if hashed.algorithm and not is_made_by(hashed.value, hashed.algorithm):
                raise at("hashedPassword.algorithm", ALGORITHM_DIFFERS.error())
            return HashedPassword(hash=hashed.value, change_required=change_required)
        case _:
            return None
