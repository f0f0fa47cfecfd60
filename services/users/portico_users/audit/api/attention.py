"""What needs attention in an organization or the instance, from bounded reads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from portico_contracts.generated.portico.management.v1 import statistics_service_pb2 as pb
from portico_contracts.keys import KEY_STATES, GetKeyStates
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.administrators.member import MEMBERS
from portico_users.administrators.permissions import INSTANCE_OWNER
from portico_users.bus import Bus
from portico_users.end_users.store import HUMANS
from portico_users.identity_providers.ldap_certificates import ends_of
from portico_users.identity_providers.store import IDPS
from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.email.queue import EMAILS, GIVEN_UP, WAITING
from portico_users.scim_targets.queues import TARGET_QUEUES
from portico_users.scim_targets.target import MAX_TARGETS, SCIM_TARGETS
from portico_users.storage.entry import Document
from portico_users.values.names import INSTANCE
from portico_users.values.operator_settings import CanSendEmail
from portico_users.values.records import State
from portico_users.webhooks.deliveries import DELIVERIES, DeliveryState
from portico_users.webhooks.rules import MAX_WEBHOOKS
from portico_users.webhooks.store import WEBHOOK_TABLE

log = structlog.get_logger("portico.statistics")

MOST: Final = 1_000
"""Administrators and emails are counted up to here."""

FAILED_ATTEMPTS: Final = 3
"""Fewer failed attempts are normal, for example while a receiver restarts."""

OLD_KEY_SECONDS: Final = 365 * 86_400.0

SOON_SECONDS: Final = 30 * 86_400.0

_NONE: Final[Document] = {"$in": [None, False, 0, []]}
_PASSWORD_ALONE: Final[Document] = {
    "type": "human",
    "state": State.ACTIVE.value,
    "hasPassword": True,
    **dict.fromkeys(("hasTotp", "hasOtpEmail", "hasOtpSms", "securityKeys"), _NONE),
}

Found = list[pb.Attention]


@dataclass(frozen=True, slots=True)
class FindAttention:
    """Each method raises `unavailable`."""

    database: Database
    bus: Bus
    clock: Clock
    sends_email: CanSendEmail
    delivery_record: DeliveryRecord

    async def administrators(self, scope_id: str) -> Found:
        """Finds a single owner, and administrators who sign in with a password alone."""
        owner = INSTANCE_OWNER if scope_id == INSTANCE else "ORG_OWNER"
        async with guarded():
            rows = self.database[MEMBERS.name].find({"scopeId": scope_id, "roles.0": {"$exists": True}})
            members = await rows.limit(MOST).to_list(MOST)
        owners = [row["userId"] for row in members if owner in row["roles"]]
        active, (weak, first) = await asyncio.gather(
            self._count_active(owners), self._with_password_alone([row["userId"] for row in members])
        )
        found: Found = []
        if active == 1:
            found.append(pb.Attention(kind=pb.ATTENTION_KIND_ONE_OWNER, count=1))
        if first:
            name = first["displayName"] or first["userName"]
            found.append(pb.Attention(kind=pb.ATTENTION_KIND_NO_SECOND_FACTOR, count=weak, id=first["_id"], name=name))
        return found

    async def webhooks(self, owner_id: str) -> Found:
        """Finds webhooks that were deactivated for failing, or whose oldest delivery failed several times."""
        async with guarded():
            rows = self.database[WEBHOOK_TABLE.name].find(
                {"orgId": owner_id, "state": {"$ne": State.DELETED.value}}, {"name": 1, "state": 1, "failure": 1}
            )
            webhooks = await rows.to_list(MAX_WEBHOOKS)
            oldest = await asyncio.gather(*(self._oldest_delivery(row["_id"]) for row in webhooks))
        return [
            pb.Attention(kind=pb.ATTENTION_KIND_WEBHOOK_FAILS, count=1, id=row["_id"], name=row["name"])
            for row, delivery in zip(webhooks, oldest, strict=True)
            if row.get("failure") or (delivery and delivery["attempts"] >= FAILED_ATTEMPTS)
        ]

    async def scim_targets(self, org_id: str) -> Found:
        """Finds targets that were deactivated for failing, or whose last attempts failed."""
        question: Document = {"orgId": org_id, "state": {"$ne": State.DELETED.value}}
        async with guarded():
            rows = self.database[SCIM_TARGETS.name].find(
                question, {"name": 1, "appId": 1, "projectId": 1, "failure": 1}
            )
            targets = await rows.to_list(MAX_TARGETS)
            failing = {"_id": {"$in": [row["_id"] for row in targets]}, "failures": {"$gte": FAILED_ATTEMPTS}}
            queues = await self.database[TARGET_QUEUES].distinct("_id", failing) if targets else []
        kind = pb.ATTENTION_KIND_SCIM_TARGET_FAILS
        return [
            pb.Attention(kind=kind, count=1, id=row["appId"], name=row["name"], project_id=row["projectId"])
            for row in targets
            if row.get("failure") or row["_id"] in queues
        ]

    async def certificates(self, owner_id: str) -> Found:
        """Finds active LDAP providers that trust a certificate which ends soon; a later one of its subject replaces it."""
        question: Document = {"orgId": owner_id, "state": State.ACTIVE.value, "config.rootCa": {"$nin": [None, ""]}}
        async with guarded():
            rows = self.database[IDPS.name].find(question, {"name": 1, "config.rootCa": 1}).sort("nameKey", 1)
            providers = await rows.to_list(MOST)
        before = self.clock.now() + SOON_SECONDS
        return [
            pb.Attention(kind=pb.ATTENTION_KIND_CERTIFICATE_ENDS, count=count, id=row["_id"], name=row["name"])
            for row in providers
            if (count := sum(end < before for end in ends_of(row["config"]["rootCa"])))
        ]

    async def secrets(self, org_id: str, table: str) -> Found:
        """Finds active applications or service users whose secret has expired or ends soon; names the first to end."""
        before = self.clock.now() + SOON_SECONDS
        question: Document = {
            "orgId": org_id, "secretUntil": {"$gt": 0, "$lt": before}, "state": State.ACTIVE.value,
        }  # fmt: skip
        async with guarded():
            rows = self.database[table].find(question, {"name": 1, "projectId": 1}).sort("secretUntil", 1)
            found = await rows.to_list(MOST)
        kind = pb.ATTENTION_KIND_SECRET_ENDS
        return [
            pb.Attention(
                kind=kind, count=len(found), id=one["_id"], name=one["name"], project_id=one.get("projectId", "")
            )
            for one in found[:1]
        ]

    async def emails(self) -> Found:
        if not self.sends_email:
            return [pb.Attention(kind=pb.ATTENTION_KIND_NO_MAIL_SERVER, count=1)]
        questions = (
            (pb.ATTENTION_KIND_EMAILS_WAITING, {"state": WAITING, "attempts": {"$gte": FAILED_ATTEMPTS}}),
            (pb.ATTENTION_KIND_EMAILS_FAILED, {"state": GIVEN_UP}),
        )
        counted = asyncio.gather(*(self._count_emails(question) for _, question in questions))
        delivery, counts = await asyncio.gather(self.delivery_record.find(), counted)
        found = [
            pb.Attention(kind=kind, count=count) for (kind, _), count in zip(questions, counts, strict=True) if count
        ]
        for one in found:
            if one.kind == pb.ATTENTION_KIND_EMAILS_FAILED:
                one.reason = (await self._last_failure({})).get("cause", "")
        if delivery.never_delivered:
            kind = pb.ATTENTION_KIND_NO_EMAIL_DELIVERED
            found.insert(0, pb.Attention(kind=kind, count=1, reason=delivery.current_failure))
        return found

    async def addresses(self, org_id: str) -> Found:
        """Finds emails to users of an organization that could not be delivered; names the last user."""
        question: Document = {"orgId": org_id, "state": GIVEN_UP}
        count, last = await asyncio.gather(self._count_emails(question), self._last_failure({"orgId": org_id}))
        if not last:
            return []
        async with guarded():
            user = await self.database[HUMANS.name].find_one(
                {"_id": last["userId"], "orgId": org_id}, {"displayName": 1, "userName": 1}
            )
        name = (user["displayName"] or user["userName"]) if user else ""
        kind = pb.ATTENTION_KIND_ADDRESS_FAILS
        return (
            [pb.Attention(kind=kind, count=count, id=last["userId"], name=name, reason=last["cause"])] if user else []
        )

    async def signing_keys(self) -> Found:
        """Finds old keys that still sign; none while the keys service does not respond."""
        try:
            keys = (await self.bus.call(KEY_STATES, GetKeyStates())).keys
        except ServiceError as error:
            log.warning("signing keys not examined", cause=error.private)
            return []
        signing = [key for key in keys if key.state == "signing" and key.activates_at]
        newest = {key.alg: key for key in sorted(signing, key=lambda key: key.activates_at)}
        before = self.clock.now() - OLD_KEY_SECONDS
        return [
            pb.Attention(kind=pb.ATTENTION_KIND_OLD_SIGNING_KEY, count=1, id=key.kid, name=key.alg)
            for key in newest.values()
            if key.activates_at < before
        ]

    async def _last_failure(self, question: Document) -> Document:
        async with guarded():
            found: Document | None = await self.database[EMAILS].find_one(
                {**question, "state": GIVEN_UP}, {"cause": 1, "userId": 1}, sort=[("forgetAt", -1)]
            )
        return found or {}

    async def _count_emails(self, question: Document) -> int:
        async with guarded():
            return await self.database[EMAILS].count_documents(question, limit=MOST)

    async def _count_active(self, ids: Sequence[str]) -> int:
        async with guarded():
            return await self.database[HUMANS.name].count_documents(
                {"_id": {"$in": list(ids)}, "type": "human", "state": State.ACTIVE.value}
            )

    async def _with_password_alone(self, ids: Sequence[str]) -> tuple[int, Document | None]:
        question: Document = {"_id": {"$in": list(ids)}, **_PASSWORD_ALONE}
        async with guarded():
            rows = self.database[HUMANS.name].find(question, {"displayName": 1, "userName": 1}).sort("_id", 1)
            found: list[Document] = await rows.to_list(MOST)
        return len(found), found[0] if found else None

    async def _oldest_delivery(self, webhook_id: str) -> Document | None:
        question: Document = {"webhookId": webhook_id, "state": DeliveryState.WAITING.value}
        order = [("at", 1), ("sequence", 1), ("_id", 1)]
        found: Document | None = await self.database[DELIVERIES].find_one(question, {"attempts": 1}, sort=order)
        return found
