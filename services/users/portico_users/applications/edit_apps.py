"""Adds and changes applications of both kinds, with their secrets and keys."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from portico_contracts.users import KEY_METHODS
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes, fingerprint
from portico_runtime.process.clock import Clock

from portico_users.applications.app_lifetimes import problems_of_times
from portico_users.applications.app_record import NEEDS_SECRET, App
from portico_users.applications.client_keys.assertion_keys import AssertionKey, new_kids
from portico_users.applications.client_keys.client_secrets import DAY_SECONDS, keep_secret, new_secret
from portico_users.applications.client_keys.edit_keys import RegisterKeys, WantedKeys
from portico_users.applications.client_keys.key_files import NewKey, without_key
from portico_users.applications.fapi2 import refuse_outside_profile
from portico_users.applications.resource_owners import ResourceOwners
from portico_users.applications.rules import problems_of
from portico_users.applications.scope_roles import ScopeRoles
from portico_users.applications.store import APPS, keeping_former, remove_app
from portico_users.journal.command import Command, Commit, PlannedClient
from portico_users.organizations.org import Org
from portico_users.policies.token_lifetimes import LongestLifetimes
from portico_users.projects.project import Project
from portico_users.storage.entry import Entry
from portico_users.storage.schema import IdSpace
from portico_users.trusted_workloads.rules import TrustedIssuers
from portico_users.values.names import new_id
from portico_users.values.problems import ID_TAKEN, at, refuse_first

SECRET_NOT_USED = ErrorCode(
    "USER-026",
    Kind.INVALID_REQUEST,
    "Applications with this authentication method have no secret.",
    "Omit the secret, or use the method BASIC or POST.",
)
KEYS_NOT_USED = ErrorCode(
    "USER-027",
    Kind.INVALID_REQUEST,
    "Applications with this authentication method have no keys.",
    "Omit the keys, or use the method PRIVATE_KEY_JWT or SELF_SIGNED_TLS_CLIENT_AUTH.",
)
HAS_NO_SECRET = ErrorCode(
    "USER-707",
    Kind.FAILED_PRECONDITION,
    "Applications with this authentication method have no secret.",
    "Set the method to BASIC or POST first.",
)
HAS_NO_KEYS = ErrorCode(
    "USER-708",
    Kind.FAILED_PRECONDITION,
    "Applications with this authentication method have no keys.",
    "Set the method to PRIVATE_KEY_JWT first.",
)
CLIENT_ID_FIXED = ErrorCode(
    "USER-013",
    Kind.FAILED_PRECONDITION,
    "The client id of an application cannot be changed.",
    "Use the client id the application was created with.",
)


FROM_DOCUMENT = ErrorCode(
    "USER-896",
    Kind.FAILED_PRECONDITION,
    "The settings of this application come from its client-ID metadata document.",
    "Deactivate or remove the application instead.",
)


@dataclass(frozen=True, slots=True)
class AddApp(Command):
    commit: Commit
    ids: IdSpace
    keys: RegisterKeys
    issuers: TrustedIssuers
    owners: ResourceOwners
    scope_roles: ScopeRoles
    longest: LongestLifetimes
    random: RandomBytes
    clock: Clock

    async def plan(
        self,
        app: App,
        *,
        beside: Iterable[Org],
        keys: WantedKeys | None = None,
        secret: str = "",
        project: Project | None = None,
    ) -> PlannedClient[App]:
        """Plans a new application; a secret is generated if the method needs one and none is given.

        ``beside`` are organizations that are committed with it, and so is ``project`` where it is not stored yet.
        """
        # Use one id for both unless both are given, so that caches by client id can use the event's object id.
        id = app.id or app.client_id or new_id(self.random)
        if app.client_id and not await self.ids.is_free(app.client_id):
            raise at("clientId", ID_TAKEN.error())
        app = msgspec.structs.replace(app, id=id, client_id=app.client_id or id)
        planned = await _plan(self, None, app, keys, secret)
        await self.owners.require(None, planned.entry.after, beside=beside)
        await self.scope_roles.require(None, planned.entry.after, project)
        return dataclasses.replace(planned, entry=_keeping_resources(self.ids, planned.entry))

    async def __call__(self, app: App, *, actor: str) -> tuple[App, str]:
        planned = await self.plan(app, beside=())
        return await self.commit(planned.entry, actor=actor), planned.secret


@dataclass(frozen=True, slots=True)
class UpdateApp(Command):
    commit: Commit
    ids: IdSpace
    keys: RegisterKeys
    issuers: TrustedIssuers
    owners: ResourceOwners
    scope_roles: ScopeRoles
    longest: LongestLifetimes
    random: RandomBytes
    clock: Clock

    async def plan(
        self,
        before: App,
        after: App,
        *,
        beside: Iterable[Org],
        keys: WantedKeys | None = None,
        secret: str = "",
        project: Project | None = None,
    ) -> PlannedClient[App]:
        """Plans a change to all settings of ``after``; ``secret`` never replaces an existing one."""
        if after.client_id != before.client_id:
            raise at("clientId", CLIENT_ID_FIXED.error())
        planned = await _plan(self, before, after, keys, secret)
        await self.owners.require(before, planned.entry.after, beside=beside)
        await self.scope_roles.require(before, planned.entry.after, project)
        return dataclasses.replace(planned, entry=_keeping_resources(self.ids, planned.entry))

    async def __call__(self, before: App, after: App, *, actor: str) -> App:
        entry = _entry(before, after)
        refuse_first(problems_of_times(before, entry.after, self.longest))
        self.issuers.require(entry.after.trusted_workloads)
        await self.owners.require(before, entry.after, beside=())
        await self.scope_roles.require(before, entry.after)
        return await self.commit.change(_keeping_resources(self.ids, entry), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveApp(Command):
    commit: Commit

    def plan(self, before: App) -> Entry[App]:
        return remove_app(before)

    async def __call__(self, before: App, *, actor: str) -> App:
        return await self.commit(self.plan(before), actor=actor)


@dataclass(frozen=True, slots=True)
class RegenerateAppSecret(Command):
    """Replaces the client secret; the previous one, and no older one, may stay valid for a while."""

    commit: Commit
    clock: Clock
    random: RandomBytes

    async def __call__(
        self, before: App, keep_seconds: int = 0, expires_after_days: int = 0, *, actor: str
    ) -> tuple[App, str]:
        """Returns the application and its new secret; the previous one stays valid for ``keep_seconds``.

        The new one expires after that many days; 0 for never.
        """
        if before.auth_method not in NEEDS_SECRET:
            raise HAS_NO_SECRET.error()
        secret, now = new_secret(self.random), self.clock.now()
        kept = keep_secret(
            before.secret_hash, keep_seconds, now, created=before.secret_created, ends=before.secret_until
        )
        until = now + expires_after_days * DAY_SECONDS if expires_after_days else 0.0
        after = msgspec.structs.replace(
            before, secret_hash=fingerprint(secret), secret_created=now, secret_until=until, previous_secret=kept
        )
        return await self.commit(_entry(before, after), actor=actor), secret

    async def remove_previous(self, before: App, *, actor: str) -> App:
        """Ends the secret that was kept; USER-702 where there is none."""
        return await self.commit.change(
            _entry(before, msgspec.structs.replace(before, previous_secret=None)), actor=actor
        )


class AddedAppKey(NamedTuple):
    app: App
    key: AssertionKey
    pair: NewKey | None

    def __repr__(self) -> str:
        """Names the key only."""
        return f"AddedAppKey({self.key.kid!r})"


@dataclass(frozen=True, slots=True)
class AppKeys(Command):
    commit: Commit
    keys: RegisterKeys

    async def add(self, before: App, public_key: str, expires_at: float, *, actor: str) -> AddedAppKey:
        """`public_key` is one PEM block, or empty for a new key pair."""
        if before.auth_method not in KEY_METHODS:
            raise HAS_NO_KEYS.error()
        # The security profile refuses keys for RS256.
        pair = None if public_key else await self.keys.create(expires_at, es256=before.fapi2)
        key = pair.key if pair else self.keys.given(public_key, expires_at)
        after = msgspec.structs.replace(before, keys=(*before.keys, key))
        return AddedAppKey(await self.commit(_entry(before, after), actor=actor), key, pair)

    async def remove(self, before: App, kid: str, *, actor: str) -> App:
        """Removes a key; USER-706 for an unknown one."""
        after = msgspec.structs.replace(before, keys=without_key(before.keys, kid))
        return await self.commit(_entry(before, after), actor=actor)


async def _plan(
    parts: AddApp | UpdateApp, before: App | None, app: App, wanted: WantedKeys | None, secret: str
) -> PlannedClient[App]:
    now = parts.clock.now()
    if wanted and wanted.keys and app.auth_method not in KEY_METHODS:
        raise at("keys", KEYS_NOT_USED.error())
    app = msgspec.structs.replace(app, keys=await parts.keys.plan(before.keys if before else (), wanted))
    if app.auth_method not in NEEDS_SECRET and secret:
        raise at("clientSecret", SECRET_NOT_USED.error())
    made = ""
    if app.auth_method in NEEDS_SECRET and not app.secret_hash:
        made = "" if secret else new_secret(parts.random)
        app = msgspec.structs.replace(app, secret_hash=fingerprint(secret or made), secret_created=now)
    entry = _entry(before, app)
    refuse_first(problems_of_times(before, app, parts.longest))
    parts.issuers.require(entry.after.trusted_workloads)
    return PlannedClient(entry, made)


def _keeping_resources(ids: IdSpace, entry: Entry[App]) -> Entry[App]:
    known = entry.before.resources if entry.before else ()
    added = [uri for uri in entry.after.resources if uri not in known]
    return dataclasses.replace(entry, side_writes=(ids.keep_resources(added),)) if added else entry


def _entry(before: App | None, after: App) -> Entry[App]:
    """Client id and kids share the id space with the application's id. Raises USER-896."""
    if before and before.metadata_document:
        raise FROM_DOCUMENT.error()
    after = msgspec.structs.replace(
        after,
        response_types=tuple(dict.fromkeys(after.response_types)),
        grant_types=tuple(dict.fromkeys(after.grant_types)),
        # Switching the method back must not restore an old secret.
        secret_hash=after.secret_hash if after.auth_method in NEEDS_SECRET else "",
        previous_secret=after.previous_secret if after.auth_method in NEEDS_SECRET else None,
        secret_until=after.secret_until if after.auth_method in NEEDS_SECRET else 0.0,
    )
    refuse_first(problems_of(after))
    refuse_outside_profile(after)
    after = keeping_former(before, after) if before else after
    kids = new_kids(before.keys if before else (), after.keys)
    return Entry(APPS, before, after, ids=kids if before else (after.client_id, *kids))
