from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
from portico_contracts.apply import Attributes, Profile
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_runtime.process.clock import Clock

from portico_users.accounts.edit_accounts import ALONE, Beside, UserNames
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.end_users.commands.set_password import NewPassword, SetPassword
from portico_users.end_users.email_address import RECOVERY_WAITS, with_address, with_pending_address
from portico_users.end_users.end_user import EndUser, Metadata, ProofKind, with_metadata
from portico_users.end_users.idp_links import IdpLinks
from portico_users.end_users.inviters import Inviters
from portico_users.end_users.new_end_user import (
    CommittedEndUser,
    MetadataValues,
    PlannedEndUser,
    refuse_repeated_keys,
    with_attributes,
    with_codes,
    with_profile,
)
from portico_users.grants.role_grants import RoleGrant
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import ORG_NOT_FOUND, MongoOrgs
from portico_users.storage.entry import Entry, Work
from portico_users.values.names import INVALID_PHONE, is_phone
from portico_users.values.problems import at
from portico_users.values.records import SYSTEM, State

NO_PHONE = ErrorCode(
    "USER-407", Kind.FAILED_PRECONDITION, "This user has no phone number.", "Set a phone number first."
)

METADATA_NOT_FOUND = ErrorCode("USER-408", Kind.NOT_FOUND, "Metadata key not found.", "List the metadata.")


@dataclass(frozen=True, slots=True)
class Contact:
    value: str
    vouched: bool = False


NO_PHONE_NUMBER = Contact("")


@dataclass(frozen=True, slots=True)
class EndUserChange:
    """The values to change; None keeps a value. Lists replace the stored ones. Error paths are `user.v2`'s."""

    user_name: str | None = None
    profile: Profile | None = None
    attributes: Attributes | None = None
    email: Contact | None = None
    phone: Contact | None = None
    metadata: tuple[Metadata, ...] | None = None
    idp_links: IdpLinks | None = None
    grants: tuple[RoleGrant, ...] | None = None
    state: State | None = None
    password: NewPassword | None = None
    codes: tuple[CodeRequest | None, ...] = ()
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class ChangeEndUser(Command):
    user_names: UserNames
    codes: UserCodes
    orgs: MongoOrgs
    set_password: SetPassword
    inviters: Inviters
    clock: Clock
    commit: Commit

    async def __call__(self, human: EndUser, change: EndUserChange, *, actor: str) -> CommittedEndUser:
        """Returns the user with the codes to return; without a change no event is written."""
        entry = (await self.plan(human, change, actor=actor)).entry
        if change.password:
            try:
                entry = await self.set_password.add_to(entry, change.password)
            except ServiceError as error:
                if not await self.set_password.is_repeated(human, change.password, error):
                    raise
                await self.set_password.finish(human)
                return CommittedEndUser(human)
        requested = [one for one in await self.inviters.naming(change.codes, human.org_id, actor) if one]
        if actor == human.id:
            requested = list(_own_codes(entry.after, requested, change.session_id))
        if entry.before == entry.after and not entry.attached and not requested:
            return CommittedEndUser(human)
        if change.email and requested and actor == human.id:
            await self.codes.reserve_sender(human.id)
        planned = await self._with_codes(entry, requested)
        changed = await self.commit(planned.entry, actor=actor)
        if change.password:
            await self.set_password.finish(changed)
        return CommittedEndUser(changed, planned.codes)

    async def must_change(self, human: EndUser, change: EndUserChange, *, actor: str) -> EndUser:
        """Like a call, but raises USER-702 without a change."""
        return await self.commit.change((await self.plan(human, change, actor=actor)).entry, actor=actor)

    async def plan(
        self, human: EndUser, change: EndUserChange, *, actor: str = SYSTEM, beside: Beside = ALONE
    ) -> PlannedEndUser:
        """Plans the change, without password and codes.

        Password codes are not sent to an address that users set themselves within the last day, whatever the
        user's permissions (USER-900): a stolen token must not suffice to take over the account (LG-24). A new
        address that users set themselves is pending until verified (`with_pending_address`).
        """
        after = human
        if change.profile:
            after = with_profile(after, change.profile)
        after = msgspec.structs.replace(with_attributes(after, change.attributes), **_replaced(change))
        waits = change.email is not None and not change.email.vouched and actor == human.id
        if change.email:
            after = self._with_email(after, change.email, self._recovery_from(human, change.email, actor), waits=waits)
        if change.phone:
            if change.phone.value and not is_phone(change.phone.value):
                raise at("phone.phone", INVALID_PHONE.error())
            after = msgspec.structs.replace(after, phone=change.phone.value, phone_verified=change.phone.vouched)
        entry = put_end_user(human, after)
        if after.user_name != human.user_name and not _is_proven(after):
            place = "email.email" if change.email and after.user_name == after.email else "username"
            await self.user_names.refuse_foreign(after.user_name, human.org_id, place, beside)
        return PlannedEndUser(replace(entry, side_writes=tuple(self._forgotten(human.id, change, waits=waits))))

    async def _with_codes(self, entry: Entry[EndUser], requested: list[CodeRequest]) -> PlannedEndUser:
        if not requested:
            return PlannedEndUser(entry)
        if any(one.subject is Subject.PASSWORD for one in requested):
            await self.set_password.passwords.require_usable(entry.after)
        org = await self.orgs.find(entry.after.org_id)
        if org is None:
            raise ORG_NOT_FOUND.error()
        planned = with_codes(self.codes, entry, org, requested)
        for one in requested:
            if not one.returned:
                await self.codes.reserve(entry.after, one)
        return planned

    def _with_email(self, human: EndUser, email: Contact, recovery_from: float, *, waits: bool) -> EndUser:
        if not waits:
            return with_address(human, email.value, verified=email.vouched, recovery_from=recovery_from)
        self.codes.challenges.require_email_queue()
        return with_pending_address(human, email.value)

    def _recovery_from(self, human: EndUser, email: Contact, actor: str) -> float:
        if actor != human.id:
            return 0.0
        return human.recovery_from if email.value == human.email else self.clock.now() + RECOVERY_WAITS

    def _forgotten(self, user_id: str, change: EndUserChange, *, waits: bool) -> Iterator[Work]:
        """Deletes the codes for changed values; password codes were sent to the old address."""
        if change.email:
            of_old = () if waits else (Subject.EMAIL, Subject.PASSWORD, Subject.INVITE)
            yield self.codes.forget(user_id, Subject.NEW_EMAIL, *of_old)
        if change.phone:
            yield self.codes.forget(user_id, Subject.PHONE)


@dataclass(frozen=True, slots=True)
class RemovePhone(Command):
    change_human: ChangeEndUser

    async def __call__(self, human: EndUser, *, actor: str) -> EndUser:
        if not human.phone:
            raise NO_PHONE.error()
        return (await self.change_human(human, EndUserChange(phone=NO_PHONE_NUMBER), actor=actor)).human


@dataclass(frozen=True, slots=True)
class SetMetadata(Command):
    change_human: ChangeEndUser

    async def __call__(self, human: EndUser, values: MetadataValues, *, actor: str) -> EndUser:
        """Raises USER-317 for a repeated key, USER-007 for an entry or a total that is too large."""
        refuse_repeated_keys(key for key, _ in values)
        change = EndUserChange(metadata=with_metadata(human.metadata, dict(values)))
        return (await self.change_human(human, change, actor=actor)).human


@dataclass(frozen=True, slots=True)
class RemoveMetadata(Command):
    """Removes all the given entries or none."""

    change_human: ChangeEndUser

    async def __call__(self, human: EndUser, keys: Sequence[str], *, actor: str) -> EndUser:
        stored = {entry.key for entry in human.metadata}
        for number, key in enumerate(keys):
            if key not in stored:
                raise at(f"keys[{number}]", METADATA_NOT_FOUND.error())
        others = tuple(entry for entry in human.metadata if entry.key not in frozenset(keys))
        return (await self.change_human(human, EndUserChange(metadata=others), actor=actor)).human


def _own_codes(human: EndUser, requested: Iterable[CodeRequest], session_id: str) -> Iterator[CodeRequest]:
    """Yields the codes that users request for themselves: for the pending address, or else for an unverified one."""
    for one in requested:
        if one.subject is Subject.EMAIL and human.pending_email:
            yield replace(one, subject=Subject.NEW_EMAIL, session_id=session_id)
        elif one.subject is not Subject.EMAIL or not human.email_verified:
            yield one


def _replaced(change: EndUserChange) -> dict[str, object]:
    names = ("user_name", "metadata", "idp_links", "grants", "state")
    return {name: value for name in names if (value := getattr(change, name)) is not None}


def _is_proven(human: EndUser) -> bool:
    proof = human.email_proof
    return human.user_name == human.email and proof is not None and proof.kind is ProofKind.PROVEN
