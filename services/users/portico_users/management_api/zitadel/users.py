"""Methods of ZITADEL for users of both kinds, performed by the operations for one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1.service_user_service_pb2 import (
    AddMachineUserRequest,
    UpdateMachineRequest,
)
from portico_contracts.generated.portico.management.v1.user_service_pb2 import UpdateUserNameRequest
from portico_contracts.generated.portico.user.v2.user_changes_pb2 import UpdateHumanUserRequest
from portico_contracts.generated.portico.user.v2.user_pb2 import User
from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest, GetUserByIDRequest
from portico_contracts.generated.zitadel.user import v2_pb2 as their
from portico_contracts.proto_options import descriptor_of
from portico_oauth.errors import ServiceError

from portico_users.management_api.zitadel.calls import TheirCall
from portico_users.management_api.zitadel.copying import copy_request, refuse_fields

_V2: Final = "portico.user.v2.UserService"
_MACHINES: Final = "portico.management.v1.ServiceUserService"

READ: Final = f"{_V2}.GetUserByID"
ADD_HUMAN: Final = f"{_V2}.AddHumanUser"
UPDATE_HUMAN: Final = f"{_V2}.UpdateHumanUser"
ADD_MACHINE: Final = f"{_MACHINES}.AddMachineUser"
UPDATE_MACHINE: Final = f"{_MACHINES}.UpdateMachine"
_ABOVE: Final = {"organization.orgId": "organizationId"}
"""Fields that an operation for one kind has in a message."""

RENAME: Final = "portico.management.v1.UserService.UpdateUserName"


class _OtherKindError(Exception):
    """The message is of the other kind of user, which is known only once it is decoded."""


async def create_user(call: TheirCall[their.CreateUserRequest], response: their.CreateUserResponse) -> None:
    with _in_its_part(call):
        try:
            created = await call.perform(ADD_HUMAN, _new_human)
        except _OtherKindError:
            created = await call.perform(ADD_MACHINE, _new_machine, org_id=call.theirs.organization_id)
        else:
            _copy_codes(created, response)
    response.id = created.user_id
    response.creation_date.CopyFrom(created.details.change_date)


@contextmanager
def _in_its_part(call: TheirCall[their.CreateUserRequest] | TheirCall[their.UpdateUserRequest]) -> Iterator[None]:
    """Errors of fields below ``human`` or ``machine`` have the paths of the operation for one kind."""
    try:
        yield
    except ServiceError as error:
        part, whole = call.theirs.WhichOneof("user_type"), descriptor_of(call.theirs).fields_by_camelcase_name
        error.violations = tuple(
            one
            if part is None or one.field.partition(".")[0] in whole
            else one._replace(field=_ABOVE.get(one.field) or f"{part}.{one.field}")
            for one in error.violations
        )
        raise


def _new_human(theirs: their.CreateUserRequest, ours: AddHumanUserRequest) -> None:
    if theirs.WhichOneof("user_type") == "machine":
        raise _OtherKindError
    copy_request(theirs.human, ours)
    if theirs.HasField("username"):
        ours.username = theirs.username
    if theirs.organization_id:
        ours.organisation.org_id = theirs.organization_id
    if theirs.HasField("user_id"):
        ours.user_id = theirs.user_id


def _new_machine(theirs: their.CreateUserRequest, ours: AddMachineUserRequest) -> None:
    if theirs.HasField("user_id"):
        refuse_fields("userId")
    copy_request(theirs.machine, ours)
    ours.user_name = theirs.username


async def update_user(call: TheirCall[their.UpdateUserRequest], response: their.UpdateUserResponse) -> None:
    """Values that are not given stay: they are read first, and the change is refused if they have changed since."""
    user: User = (await call.perform(READ, _read_user)).user
    theirs = call.theirs
    is_machine = user.HasField("machine")
    if theirs.HasField("human" if is_machine else "machine"):
        refuse_fields("human" if is_machine else "machine")
    read: Callable[[their.UpdateUserRequest, Any, User], None]
    operation, read = (RENAME, _renamed) if is_machine else (UPDATE_HUMAN, _changed_human)
    if is_machine and theirs.HasField("machine"):
        if theirs.HasField("username"):
            # Two operations, of which the second can fail.
            refuse_fields("username")
        operation, read = UPDATE_MACHINE, _changed_machine
    sequence = user.details.sequence
    with _in_its_part(call):
        changed = await call.perform(operation, lambda theirs, ours: read(theirs, ours, user), sequence=sequence)
    response.change_date.CopyFrom(changed.details.change_date)
    if not is_machine:
        _copy_codes(changed, response)


def _read_user(theirs: their.UpdateUserRequest, ours: GetUserByIDRequest) -> None:
    ours.user_id = theirs.user_id


def _renamed(theirs: their.UpdateUserRequest, ours: UpdateUserNameRequest, _user: User) -> None:
    ours.user_id, ours.user_name = theirs.user_id, theirs.username


def _changed_machine(theirs: their.UpdateUserRequest, ours: UpdateMachineRequest, user: User) -> None:
    machine = user.machine
    ours.user_id, ours.name, ours.description = theirs.user_id, machine.name, machine.description
    ours.access_token_type = machine.access_token_type
    ours.access_token_alg = machine.access_token_alg
    copy_request(theirs.machine, ours)


def _changed_human(theirs: their.UpdateUserRequest, ours: UpdateHumanUserRequest, user: User) -> None:
    ours.user_id = theirs.user_id
    if theirs.HasField("username"):
        ours.username = theirs.username
    if theirs.human.HasField("profile"):
        ours.profile.CopyFrom(user.human.profile)
    copy_request(theirs.human, ours)


def _copy_codes(ours: Message, response: Message) -> None:
    for name in ("email_code", "phone_code"):
        if ours.HasField(name):
            setattr(response, name, getattr(ours, name))
