"""Claim rules in place of protocol mappers of Keycloak, as far as a rule has the same effect.

The places are those of ``OIDCAttributeMapperHelper``: without a setting, userinfo follows the id_token, and
introspection the access token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from portico_contracts.apply import ClaimFormatName, ClaimPlaceName, ClaimRule, ClaimSourceName
from portico_oauth.claim_names import PREFERRED_USERNAME, is_private

HARDCODED: Final = "oidc-hardcoded-claim-mapper"
ATTRIBUTE: Final = "oidc-usermodel-attribute-mapper"
PROPERTY: Final = "oidc-usermodel-property-mapper"

_TEXT: Final = ("", "String")
_LONGEST: Final = 2_000
_OF_USER: Final = {"username": "user_name", "email": "email", "firstName": "given_name", "lastName": "family_name"}
_MOVED: Final = {**_OF_USER, "locale": "locale", "phoneNumber": "phone_number"}
"""Attributes that users have in fields of their own instead of metadata."""


def claim_name(config: Mapping[str, str]) -> str:
    """The name, where a dot with a backslash is one of the name; empty for a claim inside another one."""
    parts = config.get("claim.name", "").replace("\\.", "\0")
    return "" if "." in parts else parts.replace("\0", ".")


def places_of(config: Mapping[str, str]) -> tuple[ClaimPlaceName, ...]:
    in_id_token, in_access_token = (config.get(f"{one}.token.claim") == "true" for one in ("id", "access"))
    shown = {
        ClaimPlaceName.ID_TOKEN: in_id_token,
        ClaimPlaceName.ACCESS_TOKEN: in_access_token,
        ClaimPlaceName.USERINFO: _is_shown(config, "userinfo", otherwise=in_id_token),
        ClaimPlaceName.INTROSPECTION: _is_shown(config, "introspection", otherwise=in_access_token),
    }
    return tuple(place for place, is_shown in shown.items() if is_shown)


def rule_of(kind: str, config: Mapping[str, str]) -> ClaimRule | None:
    """None where no rule has the same effect."""
    claim, places = claim_name(config), places_of(config)
    attribute = config.get("user.attribute", "")
    if claim == PREFERRED_USERNAME and kind in (ATTRIBUTE, PROPERTY) and attribute == "email" and places:
        return ClaimRule(claim=claim, source=ClaimSourceName.ATTRIBUTE, key="email", places=places)
    if not is_private(claim) or not places:
        return None
    if kind == HARDCODED:
        return _fixed(claim, places, config)
    if kind == PROPERTY or (kind == ATTRIBUTE and attribute in _MOVED):
        return _of_user(claim, places, config, _OF_USER if kind == PROPERTY else _MOVED)
    return _metadata(claim, places, config) if kind == ATTRIBUTE else None


def roles_rule(claim: str, config: Mapping[str, str]) -> ClaimRule | None:
    places = places_of(config)
    if not is_private(claim) or not places:
        return None
    return ClaimRule(claim=claim, source=ClaimSourceName.ROLES, places=places)


def groups_rule(config: Mapping[str, str]) -> ClaimRule | None:
    claim, places = claim_name(config), places_of(config)
    if not is_private(claim) or not places:
        return None
    return ClaimRule(claim=claim, source=ClaimSourceName.GROUPS, places=places)


def _is_shown(config: Mapping[str, str], place: str, *, otherwise: bool) -> bool:
    value = config.get(f"{place}.token.claim")
    return otherwise if value is None else value == "true"


def _fixed(claim: str, places: tuple[ClaimPlaceName, ...], config: Mapping[str, str]) -> ClaimRule | None:
    value, is_text = config.get("claim.value", ""), config.get("jsonType.label", "") in _TEXT
    if not value or len(value) > _LONGEST or not (is_text or _is_json(value)):
        return None
    format = ClaimFormatName.TEXT if is_text else ClaimFormatName.JSON
    return ClaimRule(claim=claim, source=ClaimSourceName.FIXED, value=value, format=format, places=places)


def _of_user(
    claim: str, places: tuple[ClaimPlaceName, ...], config: Mapping[str, str], known: Mapping[str, str]
) -> ClaimRule | None:
    key = known.get(config.get("user.attribute", ""))
    if key is None or config.get("multivalued") == "true":
        return None
    return ClaimRule(claim=claim, source=ClaimSourceName.ATTRIBUTE, key=key, places=places)


def _metadata(claim: str, places: tuple[ClaimPlaceName, ...], config: Mapping[str, str]) -> ClaimRule | None:
    """Attributes of users become metadata with the same keys: one value a text, several a JSON array."""
    key = config.get("user.attribute", "")
    if not key or config.get("aggregate.attrs") == "true":
        return None
    is_text = config.get("jsonType.label", "") in _TEXT
    format = ClaimFormatName.TEXT if is_text else ClaimFormatName.JSON
    if config.get("multivalued") == "true":
        if not is_text:
            return None
        format = ClaimFormatName.LIST
    return ClaimRule(claim=claim, source=ClaimSourceName.METADATA, key=key, format=format, places=places)


def _is_json(value: str) -> bool:
    try:
        json.loads(value)
    except ValueError:
        return False
    return True
