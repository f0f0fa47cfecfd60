"""Exports stored objects as a document: applying it here changes nothing, elsewhere it creates the same objects.

Secrets, passwords and factors are not exported; notes list per object what has to be set again.

Handles `EXPORT` in parts, because the whole document may not fit into one message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from portico_contracts.apply import Document, EndUser, Organization, ServiceUser
from portico_contracts.subjects import encode
from portico_contracts.users import Export, Exported, ExportPart
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.export import ClientExport
from portico_users.documents.settings import SettingsExport, domains_of, oidc_settings_of, policies_of
from portico_users.documents.written import MOST, Notes, state_of
from portico_users.end_users.end_user import EndUser as HumanRecord
from portico_users.end_users.export import EndUserExport
from portico_users.instance.instance import UNSET, MongoInstance
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.storage.entry import NOT_DELETED
from portico_users.values.names import INSTANCE
from portico_users.values.records import State

Fields = dict[str, Any]
"""Of an organization."""

USERS_PER_PART: Final = 200
BYTES_PER_PART: Final = 1024 * 1024
"""A single user may exceed this fourfold; a message holds eight times as much."""

_KINDS: Final[Mapping[ExportPart, str]] = {ExportPart.HUMANS: "human", ExportPart.SERVICE_USERS: "machine"}

ORG_UNKNOWN = ErrorCode("USER-836", Kind.NOT_FOUND, "Organization not found.", "Check the id of the organization.")


@dataclass(frozen=True, slots=True)
class Exporter:
    clients: ClientExport
    people: EndUserExport
    settings: SettingsExport
    instances: MongoInstance
    orgs: MongoOrgs
    accounts: MongoAccounts

    async def export(self, ask: Export) -> Exported:
        if not ask.org_id:
            return await self._instance()
        org = await self.orgs.find(ask.org_id)
        if org is None or org.state is State.DELETED:
            raise ORG_UNKNOWN.error()
        notes, parts = Notes(), frozenset(ask.parts or ExportPart)
        first = parts if not ask.after else frozenset[ExportPart]()
        projects, settings, (users, after) = await asyncio.gather(
            self._projects(org, notes) if ExportPart.PROJECTS in first else _nothing(),
            self._settings(org, notes) if ExportPart.SETTINGS in first else _nothing(),
            self._users(org, [kind for part, kind in _KINDS.items() if part in parts], ask.after, notes),
        )
        written = Organization(name=org.name, id=org.id, primary_domain=org.primary_domain)
        written = msgspec.structs.replace(written, **projects, **settings, **users)
        document = Document(organizations=(written,))
        return Exported(document=document, notes=tuple(notes.written), after=after, sequences=notes.sequences)

    async def _instance(self) -> Exported:
        notes = Notes()
        settings, idps, orgs, webhooks, senders = await asyncio.gather(
            self.instances.find_settings(),
            self.settings.idps_of(INSTANCE, notes),
            self.orgs.list_where(dict(NOT_DELETED), MOST, order=("created", "_id")),
            self.settings.webhooks_of(INSTANCE, notes),
            self.settings.senders_of(INSTANCE, notes),
        )
        settings = settings or UNSET
        written = msgspec.structs.replace(
            Document(),
            login_policy=await self.settings.login_policy_of(settings.login_rules),
            default_organization=settings.default_org_id,
            oidc_settings=oidc_settings_of(settings),
            intent_urls=settings.intent_urls or None,
            allow_impersonation=settings.allows_impersonation or None,
            **idps.lists,
            webhooks=webhooks or None,
            sms_sender=senders.sms,
            **policies_of(settings.policies),
        )
        return Exported(document=written, notes=tuple(notes.written), org_ids=tuple(org.id for org in orgs))

    async def _projects(self, org: Org, notes: Notes) -> Fields:
        return {"projects": await self.clients.projects_of(org.id, notes) or None}

    async def _settings(self, org: Org, notes: Notes) -> Fields:
        (groups, members, policy), (idps, webhooks, connections, servers, senders) = await asyncio.gather(
            asyncio.gather(
                self.people.groups_of(org.id),
                self.clients.members_of(org.id, without_org=org.id),
                self.settings.login_policy_of(org.login_rules),
            ),
            asyncio.gather(
                self.settings.idps_of(org.id, notes),
                self.settings.webhooks_of(org.id, notes),
                self.settings.scim_connections_of(org.id, notes),
                self.settings.outside_servers_of(org.id, notes),
                self.settings.senders_of(org.id, notes),
            ),
        )
        return {
            "domains": domains_of(org) or None,
            "groups": groups,
            **idps.lists,
            "webhooks": webhooks or None,
            "scim_connections": connections or None,
            "outside_servers": servers or None,
            "sms_sender": senders.sms,
            "email_sender": senders.email,
            "members": members or None,
            "login_policy": policy,
            "mail_link_hosts": org.mail_link_hosts or None,
            "state": state_of(org),
            **policies_of(org.policies),
        }

    async def _users(self, org: Org, kinds: Sequence[str], after: str, notes: Notes) -> tuple[Fields, str]:
        if not kinds:
            return {}, ""
        # With the kinds, one index has the users of an organization in the order of their ids.
        question = {"orgId": org.id, "type": {"$in": kinds}, "_id": {"$gt": after}, **NOT_DELETED}
        found = await self.accounts.list_where(question, USERS_PER_PART, order=("_id",))
        roles, named = await asyncio.gather(self.people.roles_of(found), self.people.named_by(found))
        humans: list[EndUser] = []
        service_users: list[ServiceUser] = []
        size = 0
        for user in found:
            one: EndUser | ServiceUser
            if isinstance(user, HumanRecord):
                one = self.people.end_user_of(user, roles[user.id], named, notes)
                humans.append(one)
            else:
                one = self.people.service_user_of(user, roles[user.id], named, notes)
                notes.sequences[user.id] = user.sequence
                service_users.append(one)
            size += len(encode(one))
            after = user.id
            if size > BYTES_PER_PART:
                break
        whole = len(found) < USERS_PER_PART and len(humans) + len(service_users) == len(found)
        fields = {"humans": tuple(humans) or None, "service_users": tuple(service_users) or None}
        return fields, "" if whole else after


async def _nothing() -> Fields:
    return {}
