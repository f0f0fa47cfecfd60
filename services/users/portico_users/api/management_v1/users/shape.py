"""Users as messages of `portico.management.v1`: the values of `user.v2` under other names."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import user_pb2 as pb
from portico_contracts.generated.portico.user.v2 import user_pb2

from portico_users.api.shared.details import details_of
from portico_users.api.user_v2.users.user_messages import user_message
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.org import Org


def v1_user(user: AnyUser, org: Org) -> pb.User:
    """Everything that is shown of a user; never a secret."""
    known = user_message(user, org)
    message = pb.User(
        id=known.user_id,
        details=details_of(user),
        state=known.state,
        user_name=known.username,
        login_names=known.login_names,
        preferred_login_name=known.preferred_login_name,
    )
    if known.HasField("machine"):
        message.machine.CopyFrom(known.machine)
    else:
        message.human.CopyFrom(v1_human(known.human))
    return message


def v1_human(known: user_pb2.HumanUser) -> pb.Human:
    """A person, without what only `user.v2` has."""
    email = pb.Email(email=known.email.email, is_email_verified=known.email.is_verified)
    message = pb.Human(profile=known.profile, email=email)
    if known.HasField("phone"):
        message.phone.CopyFrom(pb.Phone(phone=known.phone.phone, is_phone_verified=known.phone.is_verified))
    return message
