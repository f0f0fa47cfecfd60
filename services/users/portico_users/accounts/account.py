from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import Factor, User

from portico_users.end_users.end_user import EndUser
from portico_users.organizations.org import Org
from portico_users.service_users.service_user import ServiceUser
from portico_users.values.records import State, version_of

AnyUser = EndUser | ServiceUser


class Account(NamedTuple):
    user: AnyUser
    org: Org


def active_account(user: AnyUser | None, org: Org | None) -> Account | None:
    """Returns None alike for unknown, deleted, locked and inactive users or organizations (LG-01)."""
    if user is None or org is None or user.org_id != org.id:
        return None
    return Account(user, org) if user.state is State.ACTIVE and org.state is State.ACTIVE else None


def login_name(user: AnyUser, org: Org) -> str:
    """Returns ``username@primarydomain``."""
    return f"{user.user_name}@{org.primary_domain}"


def readable_login_name(user: AnyUser, org: Org) -> str:
    """Returns the user name alone where it is an email address."""
    return user.user_name if "@" in user.user_name else login_name(user, org)


def factors_of(human: EndUser) -> tuple[Factor, ...]:
    there = {
        Factor.U2F: any(not key.passkey for key in human.security_keys),
        Factor.PASSKEY: any(key.passkey for key in human.security_keys),
        Factor.TOTP: human.has_totp,
        Factor.OTP_EMAIL: human.has_otp_email,
        Factor.OTP_SMS: human.has_otp_sms,
        Factor.RECOVERY_CODE: human.recovery_codes > 0,
    }
    return tuple(factor for factor, has in there.items() if has)


def password_changed_of(human: EndUser) -> float:
    """Returns the unix seconds at which the password was set, else those of the creation; 0 without a password."""
    return (human.password_changed or human.created) if human.has_password else 0.0


def as_user(account: Account) -> User:
    user, org = account
    person = user if isinstance(user, EndUser) else None
    return User(
        user_id=user.id,
        org_id=org.id,
        user_name=user.user_name,
        login_name=login_name(user, org),
        human=person is not None,
        display_name=user.display_name if isinstance(user, EndUser) else user.name,
        has_password=person is not None and person.has_password,
        password_changed=password_changed_of(person) if person else 0.0,
        password_change_required=person is not None and person.password_change_required,
        email_verified=person is not None and person.email_verified,
        factors=factors_of(person) if person else (),
        version=version_of(user),
        trust_epoch=person.trust_epoch if person else 0,
    )
