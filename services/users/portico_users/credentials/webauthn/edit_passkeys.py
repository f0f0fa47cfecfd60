from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_runtime.process.clock import Clock
from webauthn.helpers.structs import AuthenticatorAttachment

from portico_users.credentials.webauthn.authenticator_names import authenticator_name
from portico_users.credentials.webauthn.ceremonies import Ceremonies, CeremonyRequest, Use
from portico_users.credentials.webauthn.new_credential import INVALID_CREDENTIAL, read_new_credential
from portico_users.credentials.webauthn.options import RelyingParty, UserEntity, creation_options
from portico_users.credentials.webauthn.registration_links import INVALID_LINK, link_claim
from portico_users.credentials.webauthn.stored_credentials import (
    MAX_CREDENTIALS,
    WebAuthnCredentials,
    credential_attachment,
    credential_claim,
)
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser, SecurityKey
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.names import MAX_LENGTH
from portico_users.values.problems import ALREADY_USED, NAME_TAKEN

KEY_NOT_FOUND = ErrorCode(
    "USER-501",
    Kind.NOT_FOUND,
    "Passkey or security key not found.",
    "Check the id. A registration is valid for 5 minutes, for one attempt, and for the caller that started it.",
)
BEGUN_BY_ANOTHER = ErrorCode(
    "USER-591",
    Kind.PERMISSION_DENIED,
    "This registration was started by another caller.",
    "Finish it with the token of the caller that started it, or start another registration.",
)
KEY_TAKEN = ErrorCode(
    "USER-503",
    Kind.ALREADY_EXISTS,
    "This passkey or security key is already registered.",
    "Use it, or choose another one.",
)
TOO_MANY_KEYS = ErrorCode(
    "USER-504", Kind.FAILED_PRECONDITION, "Too many passkeys and security keys.", "Remove one first."
)

_NAMES: Final = {True: "Passkey", False: "Security key"}
"""Names of credentials of unknown authenticators, by whether they are a passkey."""

ATTACHED: Final = ("securityKeyData",)
"""Attached data that the event lists as changed."""


class CredentialRequest(NamedTuple):
    """A requested registration; only ``begun_by`` may finish it. ``link``: id of the link that permits it, if any."""

    use: Use
    begun_by: str
    domain: str = ""
    attachment: AuthenticatorAttachment | None = None
    link: str = ""


class BegunRegistration(NamedTuple):
    id: str
    options: dict[str, dict[str, object]]


class NewCredential(NamedTuple):
    """A browser's credential; ``only_passkey`` refuses security keys, for authenticators without passkeys."""

    id: str
    credential: dict[str, object]
    name: str = ""
    only_passkey: bool = False


@dataclass(frozen=True, slots=True)
class RegisterCredential(Command):
    ceremonies: Ceremonies
    keys: WebAuthnCredentials
    relying_party: RelyingParty

    async def __call__(self, human: EndUser, login_name: str, requested: CredentialRequest) -> BegunRegistration:
        if len(human.security_keys) >= MAX_CREDENTIALS:
            raise TOO_MANY_KEYS.error()
        rp_id = self.relying_party.id_for(requested.domain)
        keys = await self.keys.list_of_user(human.id)
        is_passkey = requested.use is Use.PASSKEY
        wanted = CeremonyRequest(requested.use, human.id, requested.begun_by, is_passkey, requested.link, human.resets)
        ceremony = await self.ceremonies.begin(wanted, rp_id)
        person = UserEntity(login_name, human.display_name)
        return BegunRegistration(ceremony.id, creation_options(ceremony, person, keys, requested.attachment))


@dataclass(frozen=True, slots=True)
class VerifyCredential(Command):
    """Finishes a registration. The order of the numbered steps matters."""

    ceremonies: Ceremonies
    keys: WebAuthnCredentials
    relying_party: RelyingParty
    commit: Commit
    clock: Clock

    async def __call__(self, human: EndUser, use: Use, new: NewCredential, *, actor: str, link: str = "") -> EndUser:
        """Adds the credential; only the actor who began may finish, and another's attempt leaves it pending."""
        entry = await self.plan(human, use, new, begun_by=actor, link=link)
        try:
            return await self.commit(entry, actor=actor)
        except ServiceError as error:
            meanings = {NAME_TAKEN.id: KEY_TAKEN, ALREADY_USED.id: INVALID_LINK}
            raise (meanings[error.id].error() if error.id in meanings else error) from None

    async def plan(
        self, human: EndUser, use: Use, new: NewCredential, *, begun_by: str, link: str = ""
    ) -> Entry[EndUser]:
        # 1. Use up the challenge, whatever the result (LG-19).
        id = new.id[: MAX_LENGTH + 1]
        ceremony = await self.ceremonies.consume(use, id, human.id, begun_by)
        if ceremony is None and not link and await self.ceremonies.is_under_way(use, id, human.id):
            raise BEGUN_BY_ANOTHER.error()
        if ceremony is None or (link and ceremony.link != link) or ceremony.resets != human.resets:
            raise KEY_NOT_FOUND.error()
        # 2. Perform all steps of a relying party (LG-17).
        read = read_new_credential(new.credential, ceremony, self.relying_party.origins)
        if new.only_passkey and not read.passkey:
            raise INVALID_CREDENTIAL.error(cause="no passkey")
        key = msgspec.structs.replace(read, created=self.clock.now())
        # 3. Check that no user has the credential; the unique index decides concurrent registrations (section 7.1,
        # step 22).
        if await self.keys.find(key.credential_id) is not None:
            raise KEY_TAKEN.error()
        if len(human.security_keys) >= MAX_CREDENTIALS:
            raise TOO_MANY_KEYS.error()
        # 4. Write credential, user and event in one transaction.
        name = new.name or authenticator_name(key.aaguid) or _NAMES[key.passkey]
        listed = SecurityKey(id=key.id, name=name, passkey=key.passkey)
        after = msgspec.structs.replace(human, security_keys=(*human.security_keys, listed))
        links = (link_claim(ceremony.link),) if ceremony.link else ()
        return replace(
            put_end_user(human, after), attachments=(credential_attachment(key),), attached=ATTACHED, claims=links
        )


@dataclass(frozen=True, slots=True)
class RemoveCredential(Command):
    ceremonies: Ceremonies
    commit: Commit

    async def __call__(self, human: EndUser, use: Use, id: str, *, actor: str) -> EndUser:
        id = id[: MAX_LENGTH + 1]
        left = tuple(key for key in human.security_keys if key.id != id or key.passkey is not (use is Use.PASSKEY))
        if len(left) == len(human.security_keys):
            if not await self.ceremonies.drop(use, id, human.id):
                raise KEY_NOT_FOUND.error()
            return human
        after = msgspec.structs.replace(human, security_keys=left)
        entry = replace(put_end_user(human, after), claims=(credential_claim(id),), attached=ATTACHED)
        try:
            return await self.commit(entry, actor=actor)
        except ServiceError as error:
            raise (KEY_NOT_FOUND.error() if error.id == ALREADY_USED.id else error) from None


@dataclass(frozen=True, slots=True)
class RenameCredential(Command):
    commit: Commit

    async def __call__(self, human: EndUser, use: Use, id: str, name: str, *, actor: str) -> EndUser:
        passkey = use is Use.PASSKEY
        if not any(key.id == id and key.passkey is passkey for key in human.security_keys):
            raise KEY_NOT_FOUND.error()
        named = tuple(msgspec.structs.replace(key, name=name) if key.id == id else key for key in human.security_keys)
        return await self.commit.change(
            put_end_user(human, msgspec.structs.replace(human, security_keys=named)), actor=actor
        )
