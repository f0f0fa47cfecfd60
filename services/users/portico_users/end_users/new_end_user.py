from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from portico_contracts.apply import Attributes, HashedPassword, Password, Profile
from portico_oauth.errors import ErrorCode, Kind

from portico_users.end_users.codes.challenge import INVITE_SECONDS, Subject
from portico_users.end_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.end_users.end_user import (
    Address,
    EmailProof,
    EndUser,
    Invitation,
    ProofKind,
    default_display_name,
    with_metadata,
)
from portico_users.end_users.idp_links import IdpLinks
from portico_users.grants.role_grants import RoleGrant
from portico_users.organizations.org import Org
from portico_users.storage.entry import Entry, Work
from portico_users.values.problems import at
from portico_users.values.records import State

KEY_TWICE = ErrorCode("USER-317", Kind.INVALID_REQUEST, "Duplicate metadata key.", "Send each metadata key once.")
_ATTACHED: Final = {
    Subject.EMAIL: "emailCode",
    Subject.NEW_EMAIL: "emailCode",
    Subject.PHONE: "phoneCode",
    Subject.PASSWORD: "passwordCode",
    Subject.INVITE: "inviteCode",
}

MetadataValues = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class ComputedHash:
    """The hash of a password that met the policy."""

    hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewEndUser:
    """The values of a new end user; ``totp_secret`` is base32. Paths in errors are those of `user.v2`.

    ``owns_instance``: the first administrator, who gets a password even where the organization has none.
    """

    profile: Profile
    email: str
    id: str | None = None
    user_name: str = ""
    email_proof: ProofKind | None = None
    phone: str = ""
    phone_verified: bool = False
    attributes: Attributes | None = None
    metadata: MetadataValues = ()
    password: Password | HashedPassword | ComputedHash | None = None
    totp_secret: str = field(default="", repr=False)
    idp_links: IdpLinks = ()
    grants: tuple[RoleGrant, ...] = ()
    state: State = State.ACTIVE
    codes: tuple[CodeRequest | None, ...] = ()
    side_writes: tuple[Work, ...] = ()
    owns_instance: bool = False

    def as_end_user(self, id: str, org_id: str) -> EndUser:
        changeable = isinstance(self.password, Password | HashedPassword)
        human = EndUser(
            id=id,
            org_id=org_id,
            state=self.state,
            user_name=self.user_name or self.email,
            first_name="",
            last_name="",
            display_name="",
            email=self.email,
            email_verified=self.email_proof is not None,
            email_proof=EmailProof(kind=self.email_proof) if self.email_proof else None,
            phone=self.phone,
            phone_verified=self.phone_verified,
            metadata=with_metadata((), dict(self.metadata)),
            idp_links=self.idp_links,
            grants=self.grants,
            has_password=self.password is not None,
            has_totp=bool(self.totp_secret),
            password_change_required=changeable and self.password.change_required,  # type: ignore[union-attr]
        )
        return with_attributes(with_profile(human, self.profile), self.attributes)


@dataclass(frozen=True, slots=True)
class PlannedEndUser:
    """A valid user, not yet written; `CreateEndUser.hash_password` must hash a password before the commit."""

    entry: Entry[EndUser]
    codes: Mapping[Subject, str] = field(default_factory=dict, repr=False)
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class CommittedEndUser:
    human: EndUser
    codes: Mapping[Subject, str] = field(default_factory=dict, repr=False)


def with_codes(codes: UserCodes, entry: Entry[EndUser], org: Org, requests: Iterable[CodeRequest]) -> PlannedEndUser:
    returned = dict[Subject, str]()
    for one in requests:
        planned = codes.plan(entry.after, org, one)
        attached = (*entry.attached, _ATTACHED[one.subject])
        if one.subject is Subject.INVITE:
            now = codes.challenges.clock.now()
            sent = Invitation(
                sent=now,
                until=now + INVITE_SECONDS,
                by=one.inviter.id,
                emailed=not one.returned,
                application=one.application,
                app_id=one.app_id,
                url_template=one.url_template,
            )
            entry = replace(entry, after=msgspec.structs.replace(entry.after, invitation=sent))
        entry = replace(entry, side_writes=(*entry.side_writes, *planned.side_writes), attached=attached)
        if planned.code:
            returned[Subject.EMAIL if one.subject is Subject.NEW_EMAIL else one.subject] = planned.code
    return PlannedEndUser(entry, returned)


def with_profile(human: EndUser, profile: Profile) -> EndUser:
    """Replaces the profile; an empty display name is derived from first and last name."""
    return msgspec.structs.replace(
        human,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name or default_display_name(profile.first_name, profile.last_name),
        nick_name=profile.nick_name,
        preferred_language=profile.preferred_language,
        gender=profile.gender,
    )


def with_attributes(human: EndUser, attributes: Attributes | None) -> EndUser:
    if attributes is None:
        return human
    values = msgspec.structs.asdict(attributes)
    address = Address(**msgspec.structs.asdict(attributes.address)) if attributes.address else None
    return msgspec.structs.replace(human, **values | {"address": address})


def refuse_repeated_keys(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for number, key in enumerate(keys):
        if key in seen:
            raise at(f"metadata[{number}].key", KEY_TWICE.error())
        seen.add(key)
