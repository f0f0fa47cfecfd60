"""The values of a human that is to be created, and the record they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from portico_contracts.apply import Attributes, HashedPassword, Password, Profile
from portico_oauth.errors import ErrorCode, Kind

from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.directory.grants.role_grants import RoleGrant
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import (
    Address,
    EmailProof,
    Human,
    ProofKind,
    default_display_name,
    with_metadata,
)
from portico_users.directory.people.idp_links import IdpLinks
from portico_users.kernel.entry import Entry, Work
from portico_users.kernel.problems import at
from portico_users.kernel.records import State

KEY_TWICE = ErrorCode("USER-317", Kind.INVALID_REQUEST, "Duplicate metadata key.", "Send each metadata key once.")
NO_TEXT_MESSAGES = ErrorCode(
    "USER-404",
    Kind.FAILED_PRECONDITION,
    "No SMS provider is configured.",
    "Request the code with returnCode, and send it yourself.",
)

_ATTACHED: Final = {
    Subject.EMAIL: "emailCode",
    Subject.NEW_EMAIL: "emailCode",
    Subject.PHONE: "phoneCode",
    Subject.PASSWORD: "passwordCode",
    Subject.INVITE: "inviteCode",
}
"""The name of a code among the fields of an event."""

MetadataValues = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class ComputedHash:
    """The hash of a password that met the policy and was computed here."""

    hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewHuman:
    """The values of a new human. Places in errors are those of `user.v2`.

    Args:
        id: chosen by the caller; None for a new one.
        user_name: empty for the email address.
        email_proof: how the address was verified; None where it was not.
        totp_secret: of an authenticator app that was set up elsewhere, in base32; empty for none.
        side_writes: what else is written in the same transaction.
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

    def as_human(self, id: str, org_id: str) -> Human:
        """The record, of which nothing is checked yet."""
        changeable = isinstance(self.password, Password | HashedPassword)
        human = Human(
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
class PlannedHuman:
    """A valid human that is not written yet.

    Args:
        codes: those to be returned, by subject.
        password: to be hashed by `CreateHuman.hash_password` before the commit; empty for none.
    """

    entry: Entry[Human]
    codes: Mapping[Subject, str] = field(default_factory=dict, repr=False)
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class CommittedHuman:
    """A human as it is stored now, with the codes to be returned by subject."""

    human: Human
    codes: Mapping[Subject, str] = field(default_factory=dict, repr=False)


def with_codes(codes: UserCodes, entry: Entry[Human], org: Org, requests: Iterable[CodeRequest]) -> PlannedHuman:
    """The entry with codes for the human as it is after the change. Raises as `UserCodes.plan`."""
    returned = dict[Subject, str]()
    for one in requests:
        planned = codes.plan(entry.after, org, one)
        attached = (*entry.attached, _ATTACHED[one.subject])
        entry = replace(entry, side_writes=(*entry.side_writes, *planned.side_writes), attached=attached)
        if planned.code:
            returned[Subject.EMAIL if one.subject is Subject.NEW_EMAIL else one.subject] = planned.code
    return PlannedHuman(entry, returned)


def with_profile(human: Human, profile: Profile) -> Human:
    """The human with another profile; without a display name it is made of the first and the last name."""
    return msgspec.structs.replace(
        human,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name or default_display_name(profile.first_name, profile.last_name),
        nick_name=profile.nick_name,
        preferred_language=profile.preferred_language,
        gender=profile.gender,
    )


def with_attributes(human: Human, attributes: Attributes | None) -> Human:
    """The human with all its attributes replaced; None leaves them."""
    if attributes is None:
        return human
    values = msgspec.structs.asdict(attributes)
    address = Address(**msgspec.structs.asdict(attributes.address)) if attributes.address else None
    return msgspec.structs.replace(human, **values | {"address": address})


def refuse_repeated_keys(keys: Iterable[str]) -> None:
    """Raises USER-317, naming the entry, for a metadata key that is given twice."""
    seen: set[str] = set()
    for number, key in enumerate(keys):
        if key in seen:
            raise at(f"metadata[{number}].key", KEY_TWICE.error())
        seen.add(key)
