"""The standard claims of a user (OIDC Core §5.1): absent when unknown, never empty."""

from __future__ import annotations

import msgspec

from portico_users.directory.accounts.account import Account, login_name
from portico_users.directory.people.human import Address, Human
from portico_users.directory.service_users.service_user import ServiceUser

Claim = str | int | bool | dict[str, str]


def claims_of(account: Account) -> dict[str, Claim]:
    """Every claim this user has; token picks by scope."""
    user = account.user
    texts = {"preferred_username": login_name(user, account.org)}
    texts |= _service_user(user) if isinstance(user, ServiceUser) else _human(user)
    claims: dict[str, Claim] = {name: text for name, text in texts.items() if text}
    claims["updated_at"] = int(user.changed)
    if isinstance(user, Human):
        claims |= _contact(user)
        if user.address and (address := _address(user.address)):
            claims["address"] = address
    return claims


def metadata_of(account: Account) -> dict[str, str]:
    """Key to base64url value without padding."""
    user = account.user
    return {entry.key: entry.value for entry in user.metadata} if isinstance(user, Human) else {}


def _service_user(service_user: ServiceUser) -> dict[str, str]:
    return {"name": service_user.name}


def _human(human: Human) -> dict[str, str]:
    return {
        "name": human.display_name,
        "given_name": human.first_name,
        "family_name": human.last_name,
        "middle_name": human.middle_name,
        "nickname": human.nick_name,
        "profile": human.profile_url,
        "picture": human.picture,
        "website": human.website,
        "gender": "" if human.gender.endswith("UNSPECIFIED") else human.gender.removeprefix("GENDER_").lower(),
        "birthdate": human.birthdate,
        "zoneinfo": human.zoneinfo,
        "locale": human.preferred_language,
    }


def _contact(human: Human) -> dict[str, Claim]:
    claims: dict[str, Claim] = {}
    if human.email:
        # False is a claim as well: an application must be able to distinguish "not verified" from "not asked".
        claims |= {"email": human.email, "email_verified": human.email_verified}
    if human.phone:
        claims |= {"phone_number": human.phone, "phone_number_verified": human.phone_verified}
    return claims


def _address(address: Address) -> dict[str, str]:
    return {name: text for name, text in msgspec.structs.asdict(address).items() if text}
