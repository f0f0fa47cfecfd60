from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
from portico_contracts.apply import Gender
from portico_contracts.generated.portico.management.v1 import app_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb
from portico_contracts.users import AccessTokenType, Dpop

from portico_users.accounts.account import AnyUser, login_name
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.inviters import Acceptable, SentInvitation
from portico_users.management_api.protobuf.details import DETAILS_V2, details_json
from portico_users.management_api.transport.wire.json_answers import time_text
from portico_users.management_api.transport.wire.json_types import JsonMessage, json_type, names_of
from portico_users.organizations.org import Org
from portico_users.service_users.service_user import ServiceUser
from portico_users.values.records import State

STATES: Final[dict[State, pb.UserState]] = {
    State.ACTIVE: pb.USER_STATE_ACTIVE,
    State.INACTIVE: pb.USER_STATE_INACTIVE,
    State.LOCKED: pb.USER_STATE_LOCKED,
    State.DELETED: pb.USER_STATE_DELETED,
}

_STATES: Final = {state: names_of(pb.UserState)[number] for state, number in STATES.items()}

_TOKEN_TYPES: Final[dict[AccessTokenType, str]] = {
    AccessTokenType.OPAQUE: names_of(pb.AccessTokenType)[pb.ACCESS_TOKEN_TYPE_BEARER],
    AccessTokenType.JWT: names_of(pb.AccessTokenType)[pb.ACCESS_TOKEN_TYPE_JWT],
}
_DPOP: Final[dict[Dpop, str]] = {
    Dpop.OFF: names_of(app_pb2.Dpop)[app_pb2.DPOP_OFF],
    Dpop.ALLOWED: names_of(app_pb2.Dpop)[app_pb2.DPOP_ALLOWED],
    Dpop.REQUIRED: names_of(app_pb2.Dpop)[app_pb2.DPOP_REQUIRED],
}

_GENDERS: Final = {gender: names_of(pb.Gender)[pb.Gender.Value(gender.value)] for gender in Gender}

_TEXTS: Final = ("middle_name", "profile_url", "website", "picture", "birthdate", "zoneinfo")

_USER: Final = json_type(pb.User)
_SERVICE_USER: Final = json_type(pb.MachineUser)
_END_USER: Final = json_type(pb.HumanUser)
_PROFILE: Final = json_type(pb.HumanProfile)
_EMAIL: Final = json_type(pb.HumanEmail)
_PHONE: Final = json_type(pb.HumanPhone)
_ATTRIBUTES: Final = json_type(pb.HumanAttributes)
_ADDRESS: Final = json_type(pb.Address)
_INVITATION: Final = json_type(pb.Invitation)

_INVITATION_STATES: Final = {
    Acceptable.YES: names_of(pb.InvitationState)[pb.INVITATION_STATE_INVITED],
    Acceptable.EXPIRED: names_of(pb.InvitationState)[pb.INVITATION_STATE_EXPIRED],
    Acceptable.NO: names_of(pb.InvitationState)[pb.INVITATION_STATE_UNSPECIFIED],
}


_WAYS_IN: Final = names_of(pb.WayInState)


class Shown(NamedTuple):
    """What a user is shown with; `last_sign_in` and `secret_used` are in unix seconds, 0 if unknown."""

    last_sign_in: float = 0.0
    delivery_failure: str = ""
    invitation: SentInvitation | None = None
    group_names: tuple[str, ...] = ()
    secret_used: float = 0.0
    no_way_in: bool = False


NOTHING_MORE: Final = Shown()


def user_json(user: AnyUser, org: Org, shown: Shown = NOTHING_MORE) -> JsonMessage:
    qualified = login_name(user, org)
    names = [user.user_name, qualified]
    if isinstance(user, EndUser) and user.email_verified and user.email not in names:
        names.append(user.email)
    return _USER(
        user_id=user.id,
        details=details_json(DETAILS_V2, user),
        state=_STATES[user.state],
        username=user.user_name,
        login_names=names,
        preferred_login_name=qualified,
        human=end_user_json(user, shown) if isinstance(user, EndUser) else None,
        machine=_service_user(user, shown.secret_used) if isinstance(user, ServiceUser) else None,
    )


def _service_user(service_user: ServiceUser, used: float) -> JsonMessage:
    previous, created, until = service_user.previous_secret, service_user.secret_created, service_user.secret_until
    return _SERVICE_USER(
        name=service_user.name,
        description=service_user.description,
        has_secret=bool(service_user.secret_hash),
        access_token_type=_TOKEN_TYPES[service_user.access_token_type],
        previous_secret_replaced=time_text(previous.replaced) if previous else None,
        previous_secret_until=time_text(previous.until) if previous else None,
        access_token_alg=service_user.access_token_alg,
        dpop=_DPOP[service_user.dpop],
        secret_creation_date=time_text(created) if created and service_user.secret_hash else None,
        secret_expiration_date=time_text(until) if until else None,
        secret_last_used=time_text(used) if used else None,
    )


def end_user_json(human: EndUser, shown: Shown = NOTHING_MORE) -> JsonMessage:
    return _END_USER(
        profile=_PROFILE(
            first_name=human.first_name,
            last_name=human.last_name,
            nick_name=human.nick_name,
            display_name=human.display_name,
            preferred_language=human.preferred_language,
            gender=_GENDERS[human.gender],
        ),
        email=_EMAIL(
            email=human.email,
            is_verified=human.email_verified,
            pending_email=human.pending_email or None,
            delivery_failure=shown.delivery_failure,
        ),
        password_change_required=human.password_change_required,
        password_changed=time_text(human.password_changed) if human.password_changed else None,
        phone=_PHONE(phone=human.phone, is_verified=human.phone_verified) if human.phone else None,
        attributes=_attributes(human),
        last_sign_in=time_text(shown.last_sign_in) if shown.last_sign_in else None,
        invitation=_invitation(shown.invitation) if shown.invitation else None,
        group_names=list(shown.group_names),
        way_in=_WAYS_IN[shown.no_way_in and human.state is State.ACTIVE],
    )


def _invitation(sent: SentInvitation) -> JsonMessage:
    return _INVITATION(
        state=_INVITATION_STATES[sent.state],
        sent=time_text(sent.invitation.sent),
        expires=time_text(sent.invitation.until),
        inviter_id=sent.invitation.by,
        inviter_name=sent.inviter_name,
    )


def _attributes(human: EndUser) -> JsonMessage | None:
    texts = {name: text for name in _TEXTS if (text := getattr(human, name))}
    if not texts and not human.address:
        return None
    address = _ADDRESS(**msgspec.structs.asdict(human.address)) if human.address else None
    return _ATTRIBUTES(**texts, address=address)
