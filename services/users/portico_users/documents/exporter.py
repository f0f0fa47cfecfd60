"""Exports stored objects as a document: applying it here changes nothing, elsewhere it creates the same objects.

Secrets, passwords and factors are not exported; notes list per object what has to be set again.

Handles `EXPORT` in parts, because the whole document may not fit into one message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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
        notes, parts, after = Notes(), frozenset(ask.parts or ExportPart), ""
        written = Organization(name=org.name, id=org.id, primary_domain=org.primary_domain)
        if not ask.after:
            if ExportPart.PROJECTS in parts:
                projects = await self.clients.projects_of(org.id, notes)
                written = msgspec.structs.replace(written, projects=projects or None)
            if ExportPart.SETTINGS in parts:
                written = await self._settings(org, written, notes)
        if kinds := [kind for part, kind in _KINDS.items() if part in parts]:
            written, after = await self._with_users(written, kinds, ask.after, notes)
        return Exported(document=Document(organizations=(written,)), notes=tuple(notes.written), after=after)

    async def _instance(self) -> Exported:
        notes = Notes()
        settings = await self.instances.find_settings() or UNSET
        idps = await self.settings.idps_of(INSTANCE, notes)
        orgs = await self.orgs.list_where(dict(NOT_DELETED), MOST, order=("created", "_id"))
        written = msgspec.structs.replace(
            Document(),
            login_policy=await self.settings.login_policy_of(settings.login_rules),
            default_organization=settings.default_org_id,
            oidc_settings=oidc_settings_of(settings),
            intent_urls=settings.intent_urls or None,
            allow_impersonation=settings.allows_impersonation or None,
            **idps.lists,
            webhooks=await self.settings.webhooks_of(INSTANCE, notes) or None,
            sms_sender=await self.settings.sms_sender_of(INSTANCE, notes),
            **policies_of(settings.policies),
        )
        return Exported(document=written, notes=tuple(notes.written), org_ids=tuple(org.id for org in orgs))

    async def _settings(self, org: Org, written: Organization, notes: Notes) -> Organization:
        idps = await self.settings.idps_of(org.id, notes)
        return msgspec.structs.replace(
            written,
            domains=domains_of(org) or None,
            groups=await self.people.groups_of(org.id),
            **idps.lists,
            webhooks=await self.settings.webhooks_of(org.id, notes) or None,
            scim_connections=await self.settings.scim_connections_of(org.id, notes) or None,
            outside_servers=await self.settings.outside_servers_of(org.id, notes) or None,
            sms_sender=await self.settings.sms_sender_of(org.id, notes),
            email_sender=await self.settings.email_sender_of(org.id, notes),
            members=await self.clients.members_of(org.id, without_org=org.id) or None,
            login_policy=await self.settings.login_policy_of(org.login_rules),
            mail_link_hosts=org.mail_link_hosts or None,
            state=state_of(org),
            **policies_of(org.policies),
        )

    async def _with_users(
        self, written: Organization, kinds: Sequence[str], after: str, notes: Notes
    ) -> tuple[Organization, str]:
        # With the kinds, one index has the users of an organization in the order of their ids.
        question = {"orgId": written.id, "type": {"$in": kinds}, "_id": {"$gt": after}, **NOT_DELETED}
        found = await self.accounts.list_where(question, USERS_PER_PART, order=("_id",))
        roles = await self.people.roles_of(found)
        named = await self.people.named_by(found)
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
                service_users.append(one)
            size += len(encode(one))
            after = user.id
            if size > BYTES_PER_PART:
                break
        whole = len(found) < USERS_PER_PART and len(humans) + len(service_users) == len(found)
        written = msgspec.structs.replace(
            written, humans=tuple(humans) or None, service_users=tuple(service_users) or None
        )
        return written, "" if whole else after
