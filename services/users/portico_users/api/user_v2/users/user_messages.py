from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb
from portico_contracts.users import AccessTokenType

from portico_users.api.shared.details import details_of, timestamp_of
from portico_users.api.shared.key_messages import replaced_of, until_of
from portico_users.kernel.records import State
from portico_users.resources.accounts.account import AnyUser, login_name
from portico_users.resources.end_users.end_user import Address, EndUser
from portico_users.resources.organizations.org import Org
from portico_users.resources.service_users.service_user import ServiceUser

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

_TEXTS: Final = ("middle_name", "profile_url", "website", "picture", "birthdate", "zoneinfo")


def user_message(user: AnyUser, org: Org, last_sign_in: float = 0.0) -> pb.User:
    """`last_sign_in` is in unix seconds; 0 if unknown."""
    qualified = login_name(user, org)
    names = [user.user_name, qualified]
    if isinstance(user, EndUser) and user.email_verified and user.email not in names:
        names.append(user.email)
    return pb.User(
        user_id=user.id,
        details=details_of(user),
        state=STATES[user.state],
        username=user.user_name,
        login_names=names,
        preferred_login_name=qualified,
        human=human_message(user, last_sign_in) if isinstance(user, EndUser) else None,
        machine=_service_user(user) if isinstance(user, ServiceUser) else None,
    )


def _service_user(service_user: ServiceUser) -> pb.MachineUser:
    return pb.MachineUser(
        name=service_user.name,
        description=service_user.description,
        has_secret=bool(service_user.secret_hash),
        access_token_type=_TOKEN_TYPES[service_user.access_token_type],
        previous_secret_replaced=replaced_of(service_user.previous_secret),
        previous_secret_until=until_of(service_user.previous_secret),
        access_token_alg=service_user.access_token_alg,
    )


def human_message(human: EndUser, last_sign_in: float = 0.0) -> pb.HumanUser:
    return pb.HumanUser(
        profile=pb.HumanProfile(
            first_name=human.first_name,
            last_name=human.last_name,
            nick_name=human.nick_name,
            display_name=human.display_name,
            preferred_language=human.preferred_language,
            gender=human.gender.value,
        ),
        email=pb.HumanEmail(
            email=human.email, is_verified=human.email_verified, pending_email=human.pending_email or None
        ),
        password_change_required=human.password_change_required,
        password_changed=timestamp_of(human.password_changed) if human.password_changed else None,
        phone=pb.HumanPhone(phone=human.phone, is_verified=human.phone_verified) if human.phone else None,
        attributes=_attributes(human),
        last_sign_in=timestamp_of(last_sign_in) if last_sign_in else None,
    )


def _attributes(human: EndUser) -> pb.HumanAttributes | None:
    texts = {name: text for name in _TEXTS if (text := getattr(human, name))}
    if not texts and not human.address:
        return None
    return pb.HumanAttributes(**texts, address=_address(human.address) if human.address else None)


def _address(address: Address) -> pb.Address:
    return pb.Address(**msgspec.structs.asdict(address))
