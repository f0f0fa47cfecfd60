"""Registers keys, and removes them. The order of the steps is the point; see the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from webauthn.helpers.structs import AuthenticatorAttachment

from portico_users.credentials.webauthn.ceremonies import Ceremonies, Use, Wanted
from portico_users.credentials.webauthn.keys import MOST, Keys, key_attachment, key_claim
from portico_users.credentials.webauthn.new_credential import read_new_credential
from portico_users.credentials.webauthn.options import Person, creation_options
from portico_users.credentials.webauthn.registration_links import INVALID_LINK, link_claim
from portico_users.credentials.webauthn.relying_party import RelyingParty
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human, SecurityKey
from portico_users.kernel.entry import Entry
from portico_users.kernel.journal import NAME_TAKEN, SPENT, Journal
from portico_users.kernel.names import MAX_LENGTH

KEY_NOT_FOUND = ErrorCode(
    "USER-501",
    Kind.NOT_FOUND,
    "There is no such key.",
    "Check the id; a registration is good for 5 minutes, for one attempt, and for who began it.",
)
BEGUN_BY_ANOTHER = ErrorCode(
    "USER-591",
    Kind.PERMISSION_DENIED,
    "This registration was begun by another caller, and only that caller can finish it.",
    "Finish it with the token of the caller that began it, or begin a registration of your own.",
)
KEY_TAKEN = ErrorCode(
    "USER-503", Kind.ALREADY_EXISTS, "This key is registered already.", "Use it, or take another one."
)
TOO_MANY_KEYS = ErrorCode("USER-504", Kind.FAILED_PRECONDITION, "There are too many keys.", "Remove one first.")

ATTACHED: Final = ("securityKeyData",)
"""What the event says besides: a key changed, not only the list."""


class CredentialRequest(NamedTuple):
    """What is to be registered, and by whom.

    Attributes:
        begun_by: who may go on with it.
        domain: as the caller gave it.
        link: id of the registration link that allows it; to go on without one is up to who began.
    """

    use: Use
    begun_by: str
    domain: str = ""
    attachment: AuthenticatorAttachment | None = None
    link: str = ""


class Begun(NamedTuple):
    """A registration under way."""

    id: str
    options: dict[str, Any]


class Made(NamedTuple):
    """What a browser made, and for which registration."""

    id: str
    credential: dict[str, Any]
    name: str


@dataclass(frozen=True, slots=True)
class KeyRegistration:
    """Registers keys."""

    ceremonies: Ceremonies
    keys: Keys
    relying_party: RelyingParty
    journal: Journal

    async def begin(self, human: Human, login_name: str, requested: CredentialRequest) -> Begun:
        """Begins a registration. Nothing of the user changes yet.

        Raises:
            ServiceError: USER-504, USER-505, `unavailable`.
        """
        if len(human.security_keys) >= MOST:
            raise TOO_MANY_KEYS.error()
        rp_id = self.relying_party.id_for(requested.domain)
        keys = await self.keys.list_of_user(human.id)
        wanted = Wanted(
            requested.use, human.id, requested.begun_by, user_verified=requested.use is Use.PASSKEY, link=requested.link
        )
        ceremony = await self.ceremonies.begin(wanted, rp_id)
        person = Person(login_name, human.display_name)
        return Begun(ceremony.id, creation_options(ceremony, person, keys, requested.attachment))

    async def finish(self, human: Human, requested: CredentialRequest, made: Made, *, actor: str) -> Human:
        """The user with the new key.

        Raises:
            ServiceError: USER-501 for a registration that is not under way, USER-591 for one that another caller began (it
                stays that caller's), USER-502 for a credential that does not fit, USER-503 for a key somebody has,
                USER-504, USER-541 for a link that is used, USER-012, `unavailable`.
        """
        # 1. Whatever comes out, this challenge is used up (LG-19).
        id = made.id[: MAX_LENGTH + 1]
        ceremony = await self.ceremonies.consume(requested.use, id, human.id, requested.begun_by)
        if ceremony is None and not requested.link and await self.ceremonies.is_under_way(requested.use, id, human.id):
            raise BEGUN_BY_ANOTHER.error()
        if ceremony is None or (requested.link and ceremony.link != requested.link):
            raise KEY_NOT_FOUND.error()
        # 2. Every step of a relying party (LG-17).
        key = read_new_credential(made.credential, ceremony, self.relying_party.origin)
        # 3. A key belongs to one user; the index decides where two come at once (section 7.1, step 22).
        if await self.keys.find(key.credential_id) is not None:
            raise KEY_TAKEN.error()
        if len(human.security_keys) >= MOST:
            raise TOO_MANY_KEYS.error()
        # 4. The key, the user and the event at once.
        listed = SecurityKey(id=key.id, name=made.name, passkey=key.passkey)
        after = msgspec.structs.replace(human, security_keys=(*human.security_keys, listed))
        links = (link_claim(ceremony.link),) if ceremony.link else ()
        entry = replace(put_human(human, after), attachments=(key_attachment(key),), attached=ATTACHED, claims=links)
        return await self._commit(entry, {NAME_TAKEN.id: KEY_TAKEN, SPENT.id: INVALID_LINK}, actor=actor)

    async def remove(self, human: Human, use: Use, id: str, *, actor: str) -> Human:
        """The user without the key, or with its registration broken off.

        Raises:
            ServiceError: USER-501, USER-012, `unavailable`.
        """
        id = id[: MAX_LENGTH + 1]
        left = tuple(key for key in human.security_keys if key.id != id or key.passkey is not (use is Use.PASSKEY))
        if len(left) == len(human.security_keys):
            if not await self.ceremonies.drop(use, id, human.id):
                raise KEY_NOT_FOUND.error()
            return human
        after = msgspec.structs.replace(human, security_keys=left)
        entry = replace(put_human(human, after), claims=(key_claim(id),), attached=ATTACHED)
        return await self._commit(entry, {SPENT.id: KEY_NOT_FOUND}, actor=actor)

    async def _commit(self, entry: Entry[Human], meanings: Mapping[str, ErrorCode], *, actor: str) -> Human:
        """Commits; what the journal refuses is said in the words of this place."""
        try:
            [changed] = await self.journal.commit([entry], actor=actor)
        except ServiceError as error:
            raise (meanings[error.id].error() if error.id in meanings else error) from None
        return changed if isinstance(changed, Human) else entry.after
