from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
from portico_contracts.apply import (
    Domain,
    EmailSender,
    LoginPolicy,
    OidcSettings,
    OutsideServer,
    ScimConnection,
    SmsSender,
    Webhook,
)

from portico_users.documents.written import MOST, Notes
from portico_users.groups.group import MongoGroups
from portico_users.identity_providers.export import WrittenIdps, written_idps
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import MongoIdps
from portico_users.instance.instance import Instance
from portico_users.notifications.senders.sender import (
    EMAIL_SENDER_FIELDS,
    SMS_SENDER_FIELDS,
    Channel,
    MongoSenders,
    Sender,
)
from portico_users.organizations.org import Org
from portico_users.outside_servers.server import OUTSIDE_SERVER_FIELDS, Covered, MongoOutsideServers
from portico_users.policies.document import member_of
from portico_users.policies.login_rules import LOGIN_FIELDS, LoginRules
from portico_users.policies.policies import KINDS, Policies
from portico_users.policies.token_lifetimes import LIFETIME_FIELDS
from portico_users.projects.project import known_roles
from portico_users.projects.store import MongoProjects
from portico_users.scim.connection import CONNECTION_FIELDS, MongoScimConnections
from portico_users.storage.entry import NOT_DELETED
from portico_users.values.records import State
from portico_users.webhooks.store import MongoWebhooks
from portico_users.webhooks.webhook import WEBHOOK_FIELDS

_SCIM_NOTE: Final = (
    "Secrets are not exported, nor which users and groups the connection manages. Applied to a new installation, a "
    "secret is generated and shown, and the directory adopts users with addresses in verified domains."
)


class WrittenSenders(NamedTuple):
    sms: SmsSender | None
    email: EmailSender | None


@dataclass(frozen=True, slots=True)
class SettingsExport:
    idps: MongoIdps
    webhooks: MongoWebhooks
    scim_connections: MongoScimConnections
    outside_servers: MongoOutsideServers
    groups: MongoGroups
    senders: MongoSenders
    projects: MongoProjects

    async def login_policy_of(self, rules: LoginRules) -> LoginPolicy | None:
        if rules == LoginRules():
            return None
        idps = None
        if rules.idps is not None:
            there = {idp.id for idp in await self.idps.list_by_ids(rules.idps)}
            idps = tuple(id for id in rules.idps if id in there)
        return LOGIN_FIELDS.document(rules, idps=idps)

    async def idps_of(self, owner_id: str, notes: Notes) -> WrittenIdps:
        found = await self.idps.list_where({"orgId": owner_id, **NOT_DELETED}, MOST, order=("nameKey",))
        return written_idps([await self._with_known_roles(idp) for idp in found], notes)

    async def _with_known_roles(self, idp: Idp) -> Idp:
        """Omits mapped roles that their project no longer has: no document can name them."""
        lines = []
        for line in idp.tables.groups:
            known = known_roles(await self.projects.find(line.project_id), idp.org_id)
            if keys := tuple(key for key in line.role_keys if key in known):
                lines.append(msgspec.structs.replace(line, role_keys=keys))
        return msgspec.structs.replace(idp, tables=msgspec.structs.replace(idp.tables, groups=tuple(lines)))

    async def webhooks_of(self, owner_id: str, notes: Notes) -> tuple[Webhook, ...]:
        found = await self.webhooks.list_where({"orgId": owner_id, **NOT_DELETED}, MOST, order=("nameKey",))
        for webhook in found:
            notes.add(webhook.id, "secret is not exported. Applied to a new installation, one is generated and shown.")
        return tuple(WEBHOOK_FIELDS.document(webhook, id=webhook.id) for webhook in found)

    async def scim_connections_of(self, org_id: str, notes: Notes) -> tuple[ScimConnection, ...]:
        found = await self.scim_connections.list_where({"orgId": org_id, **NOT_DELETED}, MOST, order=("nameKey",))
        for connection in found:
            notes.add(connection.id, _SCIM_NOTE)
        return tuple(CONNECTION_FIELDS.document(connection, id=connection.id) for connection in found)

    async def outside_servers_of(self, org_id: str, notes: Notes) -> tuple[OutsideServer, ...]:
        """Without groups that were deleted, because no document can name them."""
        found = await self.outside_servers.list_where({"orgId": org_id, **NOT_DELETED}, MOST, order=("nameKey",))
        groups = await self.groups.map_ids(id for server in found for id in server.group_ids)
        known = {id for id, group in groups.items() if group.state is not State.DELETED}
        written = []
        for server in found:
            left = tuple(one for one in server.group_ids if one in known)
            if server.people is Covered.SELECTED and not left and not server.roles:
                notes.add(server.id, "The outside server is not exported: all of its groups were deleted.")
            else:
                shown = msgspec.structs.replace(server, group_ids=left)
                written.append(OUTSIDE_SERVER_FIELDS.document(shown, id=server.id))
        return tuple(written)

    async def senders_of(self, owner_id: str, notes: Notes) -> WrittenSenders:
        found = await self.senders.map_of(owner_id)
        sms, email = found.get(Channel.SMS), found.get(Channel.EMAIL)
        return WrittenSenders(
            SMS_SENDER_FIELDS.document(_noted(sms, notes)) if sms else None,
            EMAIL_SENDER_FIELDS.document(_noted(email, notes)) if email else None,
        )


def _noted(sender: Sender, notes: Notes) -> Sender:
    """The note is at the organization, because a sender has no id in documents."""
    name = f"{sender.channel}Sender"
    if sender.url:
        text = "secret is not exported. Applied to a new installation, one is generated and shown."
        notes.add(sender.org_id, f"{name}.{text}")
    if sender.smtp_user:
        notes.add(sender.org_id, f"{name}.smtpPassword is not exported. A new installation needs it.")
    return sender


def policies_of(policies: Policies) -> dict[str, object]:
    stored = ((kind, getattr(policies, kind.name)) for kind in KINDS)
    return {member_of(kind): policy and kind.fields.document(policy) for kind, policy in stored}


def oidc_settings_of(instance: Instance) -> OidcSettings | None:
    lives = instance.token_lifetimes
    return None if lives is None else LIFETIME_FIELDS.document(lives)


def domains_of(org: Org) -> tuple[Domain, ...]:
    return tuple(Domain(name=domain.name, is_verified=domain.verified) for domain in org.domains)
