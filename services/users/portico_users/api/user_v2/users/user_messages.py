"""Users as messages."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb
from portico_contracts.users import AccessTokenType

from portico_users.api.shared.details import details_of, timestamp_of
from portico_users.directory.accounts.account import AnyUser, login_name
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Address, Human
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.records import State

STATES: Final[dict[State, pb.UserState]] = {
    State.ACTIVE: pb.USER_STATE_ACTIVE,
    State.INACTIVE: pb.USER_STATE_INACTIVE,
    State.LOCKED: pb.USER_STATE_LOCKED,
    State.DELETED: pb.USER_STATE_DELETED,
}

_TOKEN_TYPES: Final[dict[AccessTokenType, pb.AccessTokenType]] = {
    AccessTokenType.OPAQUE: pb.ACCESS_TOKEN_TYPE_BEARER,
    AccessTokenType.JWT: pb.ACCESS_TOKEN_TYPE_JWT,
}


def user_message(user: AnyUser, org: Org) -> pb.User:
    """Everything that is shown of a user; never a secret."""
    qualified = login_name(user, org)
    message = pb.User(
        user_id=user.id,
        details=details_of(user),
        state=STATES[user.state],
        username=user.user_name,
        login_names=[user.user_name, qualified],
        preferred_login_name=qualified,
    )
    if isinstance(user, ServiceUser):
        message.machine.CopyFrom(_service_user(user))
        return message
    message.human.CopyFrom(human_message(user))
    if user.email_verified and user.email not in message.login_names:
        message.login_names.append(user.email)
    return message


def _service_user(service_user: ServiceUser) -> pb.MachineUser:
    return pb.MachineUser(
        name=service_user.name,
        description=service_user.description,
        has_secret=bool(service_user.secret_hash),
        access_token_type=_TOKEN_TYPES[service_user.access_token_type],
    )


def human_message(human: Human) -> pb.HumanUser:
    """Everything that is shown of a person."""
    message = pb.HumanUser(
        profile=pb.HumanProfile(
            first_name=human.first_name,
            last_name=human.last_name,
            nick_name=human.nick_name,
            display_name=human.display_name,
            preferred_language=human.preferred_language,
            gender=human.gender.value,
        ),
        email=pb.HumanEmail(email=human.email, is_verified=human.email_verified),
        password_change_required=human.password_change_required,
    )
    if human.password_changed:
        message.password_changed.CopyFrom(timestamp_of(human.password_changed))
    if human.phone:
        message.phone.CopyFrom(pb.HumanPhone(phone=human.phone, is_verified=human.phone_verified))
    attributes = _attributes(human)
    if attributes.ByteSize():
        message.attributes.CopyFrom(attributes)
    return message


def _attributes(human: Human) -> pb.HumanAttributes:
    attributes = pb.HumanAttributes(
        middle_name=human.middle_name,
        profile_url=human.profile_url,
        website=human.website,
        picture=human.picture,
        birthdate=human.birthdate,
        zoneinfo=human.zoneinfo,
    )
    if human.address:
        attributes.address.CopyFrom(_address(human.address))
    return attributes


def _address(address: Address) -> pb.Address:
    return pb.Address(**msgspec.structs.asdict(address))
