from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator
from typing import Final

from portico_oauth.errors import ServiceError
from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.master_keys import check_master_keys
from portico_runtime.doctor.outbound import Published, check_documents
from portico_runtime.doctor.schema_version import check_schema_version
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.mongo.client import Database, MongoClient
from portico_runtime.process.clock import SystemClock

from portico_users.applications.doctor_checks import check_assertion_audiences
from portico_users.credentials.passwords.breached.doctor_checks import check_breached_passwords
from portico_users.credentials.webauthn.doctor_checks import check_passkeys
from portico_users.credentials.webauthn.options import RelyingParty
from portico_users.identity_providers.federation.provider_metadata import WELL_KNOWN
from portico_users.identity_providers.federation.verification_keys import MAX_KEY_SET
from portico_users.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.identity_providers.store import MongoIdps
from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.email.doctor_checks import check_mail
from portico_users.notifications.senders.sender import MongoSenders
from portico_users.settings import Settings
from portico_users.tables import SCHEMA_VERSION
from portico_users.trusted_workloads.doctor_checks import PastedKeys
from portico_users.upgrade_checks import check_upgrade
from portico_users.values.operator_settings import Issuer
from portico_users.values.records import State

MOST: Final = 50
"""Limit of identity providers to request: further ones usually fail for the same reasons."""


async def own_checks(settings: Settings, options: argparse.Namespace) -> AsyncIterator[Finding]:
    master_keys = settings.master_keys.get_secret_value()
    for finding in await asyncio.gather(
        check_schema_version(settings, "users", SCHEMA_VERSION), check_master_keys(settings, "users", master_keys)
    ):
        yield finding
    if options.records:
        async for finding in check_upgrade(settings):
            yield finding
        return
    async for finding in check_mail(settings, options.email_to):
        yield finding
    if found := await check_breached_passwords(settings, settings):
        yield found
    try:
        for finding in await _in_records(settings):
            yield finding
        documents = await _documents(settings)
    except ServiceError:
        return  # reported above
    async for finding in check_documents(settings, documents):
        yield finding
    async for finding in _pasted_keys(settings):
        yield finding


async def _pasted_keys(settings: Settings) -> AsyncIterator[Finding]:
    mongo, outbound = MongoClient(settings, "users"), Outbound(settings)
    try:
        async for finding in PastedKeys(mongo.database, outbound, SystemClock()).check():
            yield finding
    except ServiceError:
        return  # reported above
    finally:
        await outbound.close()
        await mongo.close()


async def _in_records(settings: Settings) -> list[Finding]:
    mongo, party = MongoClient(settings, "users"), RelyingParty(Issuer(settings.issuer), settings)
    try:
        passkeys = await check_passkeys(mongo.database, party)
        audiences = await check_assertion_audiences(mongo.database)
        return [*passkeys, *audiences, *[finding async for finding in check_senders(mongo.database)]]
    finally:
        await mongo.close()


async def check_senders(database: Database) -> AsyncIterator[Finding]:
    """Yields a finding for each sender whose last message was not accepted."""
    record = DeliveryRecord(database, SystemClock())
    for sender in await MongoSenders(database).list_where({"state": State.ACTIVE.value}, MOST):
        if failure := (await record.find(sender.id)).current_failure:
            text = f"the {sender.channel} sender of {sender.org_id} fails: {failure}"
            fix = "Check its hook or mail server, and send a test message in the console."
            yield Finding("senders", "warning", text, fix, "Its messages wait, and codes in them expire.")


async def _documents(settings: Settings) -> dict[str, Published]:
    mongo = MongoClient(settings, "users")
    try:
        active = await MongoIdps(mongo.database).list_where({"state": State.ACTIVE.value}, MOST)
    finally:
        await mongo.close()
    return {f"the identity provider {one.name} ({one.id})": found for one in active if (found := _document_of(one))}


def _document_of(idp: Idp) -> Published | None:
    """Returns None for providers without a published document: OAuth 2.0 without discovery, SAML, LDAP."""
    match idp.config:
        case OidcConfig(issuer=issuer):
            return Published(issuer.removesuffix("/") + WELL_KNOWN)
        case JwtConfig(keys_endpoint=url):
            return Published(url, MAX_KEY_SET)
        case _:
            return None
