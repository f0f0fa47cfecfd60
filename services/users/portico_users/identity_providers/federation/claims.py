"""What claims must be like, what an account takes from them (OIDC Core §5.1), and the tables that map them."""

from __future__ import annotations

import json
import math
import re
from typing import Final, NamedTuple

import msgspec
from portico_contracts.users import Profile, VerifiedIdentity
from portico_oauth.assurance import HARDWARE_KEY, KEY, MULTI_FACTOR, ONE_TIME_CODE, PASSWORD, USER_PRESENCE
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.redirect_uris import may_register

from portico_users.identity_providers.claim_tables import ClaimTables
from portico_users.identity_providers.federation.errors import MISSING_CLAIM, NOT_CURRENT, WRONG_AUDIENCE
from portico_users.values.names import MAX_LENGTH, is_email, is_name, is_user_name

Seen = dict[str, dict[str, object]]
"""The claims of a provider by source: ``id_token``, ``userinfo``, ``jwt`` or ``ldap``."""

MAX_SUBJECT: Final = 255
"""OpenID Connect Core section 2."""

MAX_AGE: Final = 3_600
"""Seconds since iat."""

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}\Z")
_MAX_LANGUAGE: Final = 10
_MAX_PICTURE: Final = 2_000


class Validity(NamedTuple):
    subject: str
    until: float


def check_claims(claims: dict[str, object], now: float) -> Validity:
    """Validates exp, iat and sub, all required here, although optional in RFC 7519; tokens are at most an hour old."""
    expires, issued, begins = (_number(claims.get(name)) for name in ("exp", "iat", "nbf"))
    subject = subject_of(claims)
    if expires is None or issued is None or ("nbf" in claims and begins is None):
        raise MISSING_CLAIM.error()
    until = min(expires, issued + MAX_AGE) + CLOCK_LEEWAY
    if now >= until or issued > now + CLOCK_LEEWAY or (begins or 0) > now + CLOCK_LEEWAY:
        raise NOT_CURRENT.error(expires=expires, issued=issued, now=now)
    return Validity(subject, until)


def subject_of(claims: dict[str, object]) -> str:
    """Returns the subject, compared by code points. Raises USER-968 unless it is text."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or len(subject) > MAX_SUBJECT or not is_name(subject):
        raise MISSING_CLAIM.error(claim="sub")
    return subject


def auth_time_of(claims: dict[str, object], now: float) -> int:
    """Returns unix seconds, never in the future; 0 if absent (OpenID Connect Core section 2)."""
    stated = _number(claims.get("auth_time"))
    return max(0, int(min(stated, now))) if stated is not None else 0


def audiences_of(claims: dict[str, object]) -> list[str]:
    found = claims.get("aud")
    audiences = [found] if isinstance(found, str) else found
    if not isinstance(audiences, list) or not all(isinstance(one, str) for one in audiences):
        raise WRONG_AUDIENCE.error()
    return audiences


def profile_of(claims: dict[str, object]) -> Profile:
    """Maps the standard claims; values that accounts cannot have are dropped."""
    email = _text(claims, "email")
    email = email if is_email(email) else ""
    user_name = _text(claims, "preferred_username")
    return Profile(
        user_name=user_name if is_user_name(user_name) else "",
        first_name=_text(claims, "given_name"),
        last_name=_text(claims, "family_name"),
        display_name=_text(claims, "name"),
        email=email,
        # The string "true" is not accepted, except through a preset's quirk.
        email_verified=bool(email) and claims.get("email_verified") is True,
        language=_language(_text(claims, "locale")),
        picture=_picture(claims.get("picture")),
    )


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and abs(number) < 1e11 else None


def _text(claims: dict[str, object], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or len(value) > MAX_LENGTH:
        return ""
    trimmed = value.strip()
    return trimmed if is_name(trimmed) else ""


def _language(tag: str) -> str:
    tag = tag.replace("_", "-")
    return tag if len(tag) <= _MAX_LANGUAGE and _LANGUAGE.match(tag) else ""


def _picture(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_PICTURE or not value.startswith("https://"):
        return ""
    return value if may_register(value, dev_mode=False) else ""


def member_at(claims: dict[str, object], path: str) -> object:
    """A member whose name is the whole path takes precedence, because claim names may be URLs."""
    if not path:
        return None
    if path in claims:
        return claims[path]
    found: object = claims
    for name in path.split("."):
        if not isinstance(found, dict):
            return None
        found = found.get(name)
    return found


MAX_METADATA: Final = 10_000
"""In characters; longer values are not stored."""

_ORDER: Final = (PASSWORD, ONE_TIME_CODE, HARDWARE_KEY, KEY, USER_PRESENCE, MULTI_FACTOR)


def with_tables(
    identity: VerifiedIdentity, tables: ClaimTables, claims: dict[str, object], *, amr: object
) -> VerifiedIdentity:
    return msgspec.structs.replace(
        identity, groups=_groups(tables, claims), metadata=_metadata(tables, claims), amr=_methods(tables, amr)
    )


def read_claims(tables: ClaimTables) -> tuple[str, ...]:
    groups = (tables.groups_claim,) if tables.groups_claim else ()
    return (*groups, *(line.claim for line in tables.metadata))


def _groups(tables: ClaimTables, claims: dict[str, object]) -> tuple[str, ...]:
    listed = set(_texts(member_at(claims, tables.groups_claim)))
    return tuple(sorted(tables.group_names & listed))


def _metadata(tables: ClaimTables, claims: dict[str, object]) -> dict[str, str]:
    found = {line.key: _text_of(member_at(claims, line.claim)) for line in tables.metadata}
    return {key: text for key, text in found.items() if 0 < len(text) <= MAX_METADATA}


def _methods(tables: ClaimTables, amr: object) -> tuple[str, ...]:
    stated = set(_texts(amr))
    trusted = {method for line in tables.amr if line.value in stated for method in line.methods}
    return tuple(method for method in _ORDER if method in trusted)


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]


def _text_of(value: object) -> str:
    """Returns text unchanged and other values as JSON; empty for nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
