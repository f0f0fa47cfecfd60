"""What a connection does with users: the same commands as the management API, with the connection as the actor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import msgspec
from portico_contracts.apply import ScimAddress, ScimDisplayName, ScimLoginName

from portico_users.accounts.account import AnyUser
from portico_users.accounts.edit_accounts import ChangeUserState, DeleteUser, UserNames
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import MongoMembers
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import UserCodes
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.email_address import with_address
from portico_users.end_users.end_user import EmailProof, EndUser, ProofKind
from portico_users.end_users.new_end_user import NewEndUser, with_attributes, with_profile
from portico_users.journal.command import Command, Commit
from portico_users.management_api.protobuf.places import Places, at_places
from portico_users.management_api.transport.caller import caller_of
from portico_users.management_api.transport.decision import MORE_POWERFUL
from portico_users.management_api.transport.targets import USER_NOT_FOUND
from portico_users.organizations.org import Org
from portico_users.scim.connection import MongoScimConnections, ScimConnection
from portico_users.scim.mapping import LOGIN_NAMES
from portico_users.scim.protocol.attributes import Resource
from portico_users.scim.protocol.errors import ACCOUNT_OF_OTHERS
from portico_users.scim.protocol.filters import Filter, Value
from portico_users.scim.protocol.listing import Asked, Found, find_page, of_name, of_user_name, question_of
from portico_users.scim.protocol.patch import patch_user, read_operations
from portico_users.scim.protocol.session import Session
from portico_users.scim.protocol.user_values import (
    SentUser,
    body_of,
    follows_names,
    left_by,
    resource_of,
    sent_user,
)
from portico_users.storage.entry import NOT_DELETED, Document, Entry, Work
from portico_users.values.names import MAX_LENGTH, canonical, email_key, split_address
from portico_users.values.provisioned import SCIM_IN, Provisioned
from portico_users.values.records import State

_PLACES: Final = (
    (r"profile\.firstName", "name.givenName"),
    (r"profile\.lastName", "name.familyName"),
    (r"profile\.(displayName|nickName|preferredLanguage)", r"\1"),
    (r"attributes\.middleName", "name.middleName"),
    (r"attributes\.profileUrl", "profileUrl"),
    (r"attributes\.zoneinfo", "timezone"),
)
_FIELDS: Final = {"displayname": "displayName", "name.givenname": "firstName", "name.familyname": "lastName"}
_OF_LOGIN_NAME: Final = {ScimLoginName.USER_NAME: "userName", ScimLoginName.EMAIL: "emails.value", **LOGIN_NAMES}
_OF_ADDRESS: Final = (Subject.NEW_EMAIL, Subject.EMAIL, Subject.PASSWORD, Subject.INVITE)
_IN_USE: Final = [State.ACTIVE.value, State.LOCKED.value]


@dataclass(frozen=True, slots=True)
class ScimUsers(Command):
    accounts: MongoAccounts
    members: MongoMembers
    connections: MongoScimConnections
    create_user: CreateEndUser
    user_names: UserNames
    codes: UserCodes
    change_state: ChangeUserState
    delete_user: DeleteUser
    commit: Commit

    async def find(self, session: Session, id: str) -> EndUser:
        """Finds a user that the connection made or adopted; all others count as unknown."""
        user = await self.accounts.find(id[: MAX_LENGTH + 1])
        if not isinstance(user, EndUser) or not _is_seen(user, session):
            raise USER_NOT_FOUND.error()
        return user

    async def find_all(self, session: Session, condition: Filter | None, asked: Asked) -> Found:
        question: Document = {SCIM_IN: session.connection.id, **NOT_DELETED}
        if condition is not None:
            found = await question_of(condition, session.connection.id, partial(_compare, session.connection))
            question = {"$and": [question, found]}
        return await find_page(self.accounts, question, asked, lambda user: canonical(user.user_name))

    async def create(self, session: Session, body: object) -> EndUser:
        """Makes an account, or adopts one of the organization, whose address stays as it is."""
        placement = session.placement
        sent = sent_user(body_of(body, placement), None, placement)
        kept = _kept(session, sent)
        with at_places(_places(session)):
            named = await self.accounts.find_by_name(sent.login_name)
            await self._refuse_sent_before(session, sent, named.id if named else "")
            if named is not None:
                return await self._take(session, named, sent, kept)
            if (owner := await self._adoptable_by_address(session, sent)) is not None:
                return await self._write(session, owner, sent, kept, first_contact=True)
            return await self._make(session, sent, kept)

    async def replace(self, session: Session, user: EndUser, body: object) -> EndUser:
        """What a client omits is emptied, except the state, the address and the external id: these stay."""
        kept = resource_of(user)
        resource = body_of(body, session.placement)
        for name in ("externalId", "emails"):
            resource.setdefault(name, kept.get(name))
        return await self._put(session, user, resource)

    async def patch(self, session: Session, user: EndUser, body: object) -> EndUser:
        resource = body_of(resource_of(user), session.placement)
        del resource["active"]  # absent means unchanged: a locked user stays locked
        if follows_names(user):
            resource.pop("displayName", None)
        patched = patch_user(resource, read_operations(body), session.placement)
        _drop_former_formatted(resource, patched)
        return await self._put(session, user, patched)

    async def delete(self, session: Session, user: EndUser) -> None:
        """Deletes the account if the connection may; otherwise deactivates it, and the connection sees it no longer."""
        await self._require_covered(session, user)
        if session.connection.deletes:
            await self.delete_user(user, actor=session.actor)
            return
        gone = Provisioned(connection_id=session.connection.id, removed=True, values=left_by(user.provisioned))
        entry = put_end_user(user, msgspec.structs.replace(user, provisioned=gone))
        await self._commit(session, entry, active=False)

    async def _put(self, session: Session, user: EndUser, resource: Resource) -> EndUser:
        sent = sent_user(resource, user, session.placement)
        with at_places(_places(session)):
            if _sent_name(sent) != resource_of(user)["userName"]:
                await self._refuse_sent_before(session, sent, user.id)
            return await self._write(session, user, sent, _kept(session, sent))

    async def _refuse_sent_before(self, session: Session, sent: SentUser, id: str) -> None:
        """A ``userName`` belongs to one user of the connection, also where the login name is or was another value."""
        if not session.connection.renames:
            return
        named = of_user_name(session.connection.id, "eq", _sent_name(sent))
        if await self.accounts.count_where({"$and": [{SCIM_IN: session.connection.id, "_id": {"$ne": id}}, named]}):
            raise ACCOUNT_OF_OTHERS.error()

    async def _take(self, session: Session, named: AnyUser, sent: SentUser, kept: Provisioned) -> EndUser:
        """Takes up an account that the connection deleted before, or adopts another one. Otherwise raises USER-218."""
        if not isinstance(named, EndUser) or named.org_id != session.org.id:
            raise ACCOUNT_OF_OTHERS.error()
        former = named.provisioned
        if former and former.connection_id == session.connection.id and former.removed:
            back = replace(sent, active=True if sent.active is None else sent.active)
            return await self._write(session, named, back, kept)
        if not await self._is_adoptable(session, named):
            raise ACCOUNT_OF_OTHERS.error()
        return await self._write(session, named, sent, kept, first_contact=True)

    async def _adoptable_by_address(self, session: Session, sent: SentUser) -> EndUser | None:
        held = await self.accounts.find_owner_of_email(sent.email)
        if held is None or held[1].id != session.org.id:
            return None
        whole = await self.accounts.find(held[0].id)
        adoptable = whole is not None and await self._is_adoptable(session, whole)
        return whole if adoptable and isinstance(whole, EndUser) else None

    async def _is_adoptable(self, session: Session, user: AnyUser) -> bool:
        if not isinstance(user, EndUser) or user.org_id != session.org.id or user.state is State.DELETED:
            return False
        if not (user.email_verified and _has_verified(session.org, user.email)):
            return False
        other = user.provisioned and await self.connections.find_there(user.provisioned.connection_id)
        return not other and await self._is_covered(session, user)

    async def _make(self, session: Session, sent: SentUser, kept: Provisioned) -> EndUser:
        new = NewEndUser(
            profile=sent.profile,
            email=sent.email,
            user_name=sent.login_name,
            email_proof=_proof(session.org, sent.email),
            attributes=sent.attributes,
            metadata=[(key, text.encode()) for key, text in sent.metadata.items()],
            state=State.INACTIVE if sent.active is False else State.ACTIVE,
        )
        planned = await self.create_user.plan(session.org, new)
        after = msgspec.structs.replace(planned.entry.after, provisioned=kept)
        return await self.commit(replace(planned.entry, after=after), actor=session.actor)

    async def _write(
        self, session: Session, user: EndUser, sent: SentUser, kept: Provisioned, *, first_contact: bool = False
    ) -> EndUser:
        await self._require_covered(session, user)
        moved = sent.email != user.email and not first_contact
        after = with_attributes(with_profile(user, sent.profile), sent.attributes)
        metadata = sent.metadata_of(user.metadata, user.provisioned)
        after = msgspec.structs.replace(after, user_name=sent.login_name, metadata=metadata, provisioned=kept)
        forgotten: tuple[Work, ...] = ()
        if moved:
            after = with_address(after, sent.email, verified=True, recovery_from=0.0)
            after = msgspec.structs.replace(after, email_proof=EmailProof(kind=_proof(session.org, sent.email)))
            # Codes that were sent to the former address prove nothing any longer.
            forgotten = (self.codes.forget(user.id, *_OF_ADDRESS),)
        if sent.login_name != user.user_name:
            await self.user_names.refuse_foreign(sent.login_name, user.org_id, "username")
        entry = replace(put_end_user(user, after), side_writes=forgotten)
        return await self._commit(session, entry, active=sent.active)

    async def _commit(self, session: Session, entry: Entry[EndUser], *, active: bool | None) -> EndUser:
        """Writes what has changed, and ends sessions and tokens of a deactivated user before it returns."""
        assert entry.before is not None  # noqa: S101 - for mypy
        user = entry.before
        wanted = user.state
        if active is False:
            wanted = State.INACTIVE
        elif active and user.state is State.INACTIVE:
            wanted = State.ACTIVE
        effects = self.change_state.effects(user, wanted)
        after = msgspec.structs.replace(entry.after, state=wanted)
        record = user
        if after != user:
            record = await self.commit(
                replace(entry, after=after, attachments=effects.attachments), actor=session.actor
            )
        if active is False:
            await self.change_state.revocations.complete(user.id)
        if effects.resets_attempts:
            await self.change_state.passwords.reset_lockout(record)
        return record

    async def _require_covered(self, session: Session, user: EndUser) -> None:
        if not await self._is_covered(session, user):
            raise MORE_POWERFUL.error(user=user.id)

    async def _is_covered(self, session: Session, user: EndUser) -> bool:
        """Reports whether the user has no administrator role (decision 0012)."""
        memberships = await self.members.list_of_user(user.id)
        return session.caller.covers(caller_of(user.id, user.org_id, memberships))


def _sent_name(sent: SentUser) -> str:
    return sent.user_name or sent.login_name


def _drop_former_formatted(before: Resource, patched: Resource) -> None:
    """The whole name that was sent before does not fit other parts of the name."""
    former, names = before.get("name") or {}, patched.get("name")
    if isinstance(names, dict) and names != former and names.get("formatted") == former.get("formatted"):
        names.pop("formatted", None)


def _kept(session: Session, sent: SentUser) -> Provisioned:
    return Provisioned(
        connection_id=session.connection.id,
        external_id=sent.external_id,
        values=sent.values,
        user_name=sent.user_name,
    )


def _places(session: Session) -> Places:
    """What errors name: the attribute that a field was made of."""
    mapping = session.connection.mapping
    address = "userName" if mapping.address is ScimAddress.USER_NAME else "emails.value"
    return ((r"username", _OF_LOGIN_NAME[mapping.login_name]), (r"email\.email", address), *_PLACES)


def _is_seen(user: EndUser, session: Session) -> bool:
    kept = user.provisioned
    is_own = kept is not None and kept.connection_id == session.connection.id and not kept.removed
    return is_own and user.state is not State.DELETED and user.org_id == session.org.id


def _has_verified(org: Org, mail: str) -> bool:
    _, domain = split_address(mail)
    return bool(domain) and org.has_verified(domain)


def _proof(org: Org, mail: str) -> ProofKind:
    """An address in a domain that the organization has verified counts as proven."""
    return ProofKind.PROVEN if _has_verified(org, mail) else ProofKind.ASSERTED


async def _compare(connection: ScimConnection, name: str, operator: str, value: Value) -> Document | None:
    mapping = connection.mapping
    if name == "username":
        if connection.renames and isinstance(value, str):
            return of_user_name(connection.id, operator, value)
        return of_name(operator, value)
    if name.startswith("emails") and mapping.address is ScimAddress.USER_NAME:
        return None  # they are stored for the client alone
    if name == "displayname" and mapping.display_name is ScimDisplayName.PARTS:
        return None
    return _equals(name, value) if operator == "eq" else None


def _equals(name: str, value: Value) -> Document | None:
    match name, value:
        case "active", _:
            return _state_of(value)
        case "emails" | "emails.value", str():
            return {"$or": [{"verifiedMailKey": email_key(value)}, {"email": value}]}
        case "emails.type" | "emails.primary", _:
            return {}  # an account has one address
        case "displayname" | "name.givenname" | "name.familyname", str():
            return {_FIELDS[name]: value}
    return None


def _state_of(active: Value) -> Document | None:
    is_active = {"true": True, "false": False}.get(str(active).lower())
    if is_active is None:
        return None
    return {"state": {"$in": _IN_USE}} if is_active else {"state": State.INACTIVE.value}
