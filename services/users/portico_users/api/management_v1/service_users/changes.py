"""What a service user proves itself with, added and taken away: the same for both APIs."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, Protocol

import msgspec
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint

from portico_users.api.shared.committing import commit
from portico_users.api.shared.key_messages import MayExpire, expiration_of
from portico_users.api.transport.call import Call
from portico_users.directory.apps.client_secrets import new_secret
from portico_users.directory.client_keys.assertion_keys import INVALID_KEY, AssertionKey, key_of
from portico_users.directory.client_keys.key_files import key_file, new_key, without_key
from portico_users.directory.service_users.changes import put_service_user
from portico_users.directory.service_users.personal_access_tokens import NewToken, new_token, without_token
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.problems import at
from portico_users.kernel.states import refuse_unchanged
from portico_users.kernel.timestamps import require_future


class AddsKey(MayExpire, Protocol):
    """A request for a key, in either API."""

    @property
    def public_key(self) -> bytes:
        """The public half of the caller's own pair; empty where a pair is to be made."""
        ...


class AddedKey(NamedTuple):
    """A key that was just added.

    Attributes:
        file: the key file with the private half; empty where the caller has it.
    """

    service_user: ServiceUser
    kept: AssertionKey
    file: bytes

    def __repr__(self) -> str:
        """Names the key only."""
        return f"AddedKey({self.kept.kid!r})"


async def add_key(call: Call[ServiceUser], request: AddsKey) -> AddedKey:
    """Keeps the public half of a key: of the caller's pair, or of one that is made here.

    Raises:
        ServiceError: USER-052, USER-053 for the end; USER-050, USER-051 for the public half; USER-054 for too many.
    """
    service_user = call.target.subject
    kept, file = await _key_and_file(call, request)
    record = await _replace(call, msgspec.structs.replace(service_user, keys=(*service_user.keys, kept)))
    return AddedKey(record, kept, file)


async def remove_key(call: Call[ServiceUser], kid: str) -> ServiceUser:
    """Takes a key away; USER-706 for an unknown one."""
    service_user = call.target.subject
    return await _replace(call, msgspec.structs.replace(service_user, keys=without_key(service_user.keys, kid)))


async def add_token(call: Call[ServiceUser], request: MayExpire) -> tuple[ServiceUser, NewToken]:
    """Makes a personal access token, and keeps its fingerprint.

    Raises:
        ServiceError: USER-052, USER-053 for the end; USER-711 for too many.
    """
    service_user, needs = call.target.subject, call.needs
    now = needs.clock.now()
    expires_at = expiration_of(request)
    require_future(expires_at, now)
    made = new_token(needs.new_id(), needs.random, created=now, expires_at=expires_at)
    after = msgspec.structs.replace(service_user, personal_tokens=(*service_user.personal_tokens, made.kept))
    return await _replace(call, after), made


async def remove_token(call: Call[ServiceUser], id: str) -> ServiceUser:
    """Takes a personal access token away; USER-710 for an unknown one."""
    service_user = call.target.subject
    left = without_token(service_user.personal_tokens, id)
    return await _replace(call, msgspec.structs.replace(service_user, personal_tokens=left))


async def add_secret(call: Call[ServiceUser]) -> tuple[ServiceUser, str]:
    """Makes a secret in the place of the one there was, and keeps its fingerprint."""
    secret = new_secret(call.needs.random)
    after = msgspec.structs.replace(call.target.subject, secret_hash=fingerprint(secret))
    return await _replace(call, after), secret


async def remove_secret(call: Call[ServiceUser]) -> ServiceUser:
    """Takes the secret away; USER-702 where there is none."""
    service_user = call.target.subject
    after = msgspec.structs.replace(service_user, secret_hash="")
    refuse_unchanged(service_user, after)
    return await _replace(call, after)


async def _replace(call: Call[ServiceUser], after: ServiceUser) -> ServiceUser:
    return await commit(call, put_service_user(call.target.subject, after))


async def _key_and_file(call: Call[ServiceUser], request: AddsKey) -> tuple[AssertionKey, bytes]:
    now, kid = call.needs.clock.now(), call.needs.new_id()
    expires_at = expiration_of(request)
    require_future(expires_at, now)
    if request.public_key:
        return _given_key(kid, request.public_key, now, expires_at), b""
    made = await asyncio.to_thread(new_key, kid, created=now, expires_at=expires_at)
    return made.key, key_file("serviceaccount", made, userId=call.target.subject.id)


def _given_key(kid: str, pem: bytes, created: float, expires_at: float) -> AssertionKey:
    try:
        return key_of(kid, pem.decode(), created=created, expires_at=expires_at)
    except UnicodeDecodeError:
        raise at("publicKey", INVALID_KEY.error(cause="no text")) from None
    except ServiceError as error:
        raise at("publicKey", error) from None
