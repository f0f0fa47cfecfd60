from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec
from portico_contracts.apply import Gender
from portico_contracts.users import ApiScope
from portico_oauth.opaque import b64url
from portico_oauth.scopes import is_known

from portico_users.end_users.idp_links import IdpLink, IdpLinks
from portico_users.grants.role_grants import RoleGrant, with_grants
from portico_users.groups.memberships import InGroups
from portico_users.values.names import MAX_LENGTH
from portico_users.values.provisioned import Provisioned
from portico_users.values.records import Record


class Address(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The members of the `address` claim (OpenID Connect Core section 5.1.1)."""

    formatted: str = ""
    street_address: str = ""
    locality: str = ""
    region: str = ""
    postal_code: str = ""
    country: str = ""


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """A metadata entry; the value is base64url without padding, as in the claim."""

    key: str
    value: str


class SecurityKey(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A WebAuthn credential without its public key; a ``passkey`` can start a sign-in."""

    id: str
    name: str
    passkey: bool = False


class ProofKind(StrEnum):
    PROVEN = "proven"
    ASSERTED = "asserted"


class EmailProof(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Why an address counts as verified: proven by a code sent to it, or asserted. ``at`` is in unix seconds."""

    kind: ProofKind
    at: float = 0.0


class AllowedScopes(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a user allowed an application, when last (`at`) and when first (`since`, 0 as `at`), in unix seconds.

    `scopes` are those that no API defines; older releases stored those of APIs there too, without the API. These allow
    nothing: the user is asked again (decision 0110).
    """

    client_id: str
    scopes: tuple[str, ...]
    at: float
    of_apis: tuple[ApiScope, ...] = ()
    since: float = 0.0


class Invitation(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An invitation that is not accepted yet; times are in unix seconds, `by` is the id of the user who sent it.

    The other values are those of an emailed one, for another one that is sent after its end.
    """

    sent: float
    until: float
    by: str = ""
    emailed: bool = False
    application: str = ""
    app_id: str = ""
    url_template: str = ""


class EndUser(Record, frozen=True, kw_only=True, tag_field="type", tag="human"):
    """An end user of an organization. Unknown values are empty.

    Attributes:
        password_changed: unix seconds, set by the journal; 0 without a password or if unknown (older releases).
        email_proof: None if the address is not verified, or if `people.proof_migration` has not derived it yet.
        pending_email: new address, until its code is entered in the session that requested it.
        proven_email: last verified address, while the current one is not verified.
        invitation: the last one, until it is accepted or revoked.
        groups: those that the user is in itself; what they give is read from them (`groups.inherited`).
        consents: one for each application that requests consent, the latest last.
        resets: counts changes that remove or replace a credential or address. Operations in progress store the value
            and become invalid when it changes.
        trust_epoch: counts changes that end the trust in devices (`credential_changes.ends_trust`); set by the journal.
        recovery_from: unix seconds from which password codes may be sent to the address.
        proven_recovery_from: the same for `proven_email`, while that is another address.
        provisioned: the SCIM connection that keeps the account; None for none.
    """

    user_name: str
    first_name: str
    last_name: str
    display_name: str
    email: str
    email_verified: bool = False
    email_proof: EmailProof | None = None
    nick_name: str = ""
    preferred_language: str = ""
    gender: Gender = Gender.UNSPECIFIED
    phone: str = ""
    phone_verified: bool = False
    middle_name: str = ""
    profile_url: str = ""
    website: str = ""
    picture: str = ""
    birthdate: str = ""
    zoneinfo: str = ""
    address: Address | None = None
    metadata: tuple[Metadata, ...] = ()
    has_password: bool = False
    password_change_required: bool = False
    password_changed: float = 0.0
    invitation: Invitation | None = None
    grants: tuple[RoleGrant, ...] = ()
    groups: InGroups = ()
    idp_links: IdpLinks = ()
    security_keys: tuple[SecurityKey, ...] = ()
    has_totp: bool = False
    has_otp_email: bool = False
    has_otp_sms: bool = False
    recovery_codes: int = 0
    pending_email: str = ""
    proven_email: str = ""
    recovery_from: float = 0.0
    proven_recovery_from: float = 0.0
    resets: int = 0
    trust_epoch: int = 0
    consents: tuple[AllowedScopes, ...] = ()
    provisioned: Provisioned | None = None


def can_authenticate(human: EndUser) -> bool:
    """Reports whether the user can start a sign-in; second factors alone do not suffice."""
    return human.has_password or bool(human.idp_links) or any(key.passkey for key in human.security_keys)


def default_display_name(first_name: str, last_name: str) -> str:
    return f"{first_name} {last_name}"[:MAX_LENGTH].strip()


def with_metadata(stored: tuple[Metadata, ...], wanted: Mapping[str, bytes]) -> tuple[Metadata, ...]:
    encoded = {key: b64url(value) for key, value in wanted.items()}
    values = {entry.key: entry.value for entry in stored} | encoded
    return tuple(Metadata(key=key, value=values[key]) for key in sorted(values))


def metadata_size(human: EndUser) -> int:
    return sum(len(entry.key.encode()) + len(_decoded(entry.value)) for entry in human.metadata)


def metadata_value(entry: Metadata) -> bytes:
    return _decoded(entry.value)


def _decoded(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


MOST_CONSENTS: Final = 200
"""Applications per user; beyond that the oldest consent is forgotten, and requested again."""


def consent_to(human: EndUser, client_id: str) -> AllowedScopes:
    """What the user allowed an application; empty for none."""
    nothing = AllowedScopes(client_id=client_id, scopes=(), at=0.0)
    return usable_consent(next((one for one in human.consents if one.client_id == client_id), nothing))


def usable_consent(stored: AllowedScopes) -> AllowedScopes:
    """Without scopes of APIs that an older release stored without their API."""
    return msgspec.structs.replace(stored, scopes=tuple(filter(is_known, stored.scopes)))


def with_consent(human: EndUser, given: AllowedScopes) -> EndUser:
    """Adds to what was allowed before; unchanged if it was all allowed."""
    before = consent_to(human, given.client_id)
    scopes = tuple(dict.fromkeys((*before.scopes, *usable_consent(given).scopes)))
    of_apis = tuple(dict.fromkeys((*before.of_apis, *given.of_apis)))
    if (scopes, of_apis) == (before.scopes, before.of_apis):
        return human
    others = [one for one in human.consents if one.client_id != given.client_id]
    since = before.since or before.at or given.at
    latest = msgspec.structs.replace(given, scopes=scopes, of_apis=of_apis, since=since)
    return msgspec.structs.replace(human, consents=(*others, latest)[-MOST_CONSENTS:])


GivenRole = tuple[str, str]
"""Project and role."""


def with_link_roles(human: EndUser, link_key: str, org_id: str, wanted: frozenset[GivenRole]) -> EndUser:
    """Gives exactly these roles through a link, which records them; roles granted otherwise stay."""
    before = frozenset(role for link in human.idp_links if link.key == link_key for role in link.granted)
    others = {role for link in human.idp_links if link.key != link_key for role in link.granted}
    own = _own_grants(human, org_id)
    held = _roles_of(own)
    added, gone = wanted - held, before - wanted - others
    granted = tuple(sorted((before & wanted & held) | added))
    links = tuple(
        msgspec.structs.replace(link, granted=granted) if link.key == link_key else link for link in human.idp_links
    )
    roles = (held | added) - gone
    stored = {grant.project_id: grant for grant in own}
    changed = [
        msgspec.structs.replace(
            stored.get(project, RoleGrant(project_id=project, org_id=org_id, role_keys=())),
            role_keys=tuple(role for place, role in roles if place == project),
        )
        for project in sorted({project for project, _ in added | gone})
    ]
    return msgspec.structs.replace(human, idp_links=links, grants=with_grants(human.grants, changed))


def without_link_roles(human: EndUser, link: IdpLink, ended: frozenset[GivenRole]) -> EndUser:
    """Ends these roles if the link gave them; roles granted otherwise stay, and removed ones do not return."""
    held = _roles_of(_own_grants(human, human.org_id))
    return with_link_roles(human, link.key, human.org_id, frozenset(link.granted) & held - ended)


def _own_grants(human: EndUser, org_id: str) -> list[RoleGrant]:
    return [grant for grant in human.grants if grant.org_id == org_id and not grant.project_grant_id]


def _roles_of(grants: Iterable[RoleGrant]) -> set[GivenRole]:
    return {(grant.project_id, role) for grant in grants for role in grant.role_keys}
