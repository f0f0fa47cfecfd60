"""The numbers of an organization and of the instance, and what needs attention."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from portico_contracts.keys import KeyState
from portico_fakes.management_api import call_as
from portico_users.audit.sign_ins.daily_counts import FAILED, REFUSED, SIGNED_IN, Counted, DailyCounts
from portico_users.notifications.email.transport import Undeliverable
from portico_users.values.names import INSTANCE

pytestmark = pytest.mark.servers

OF_ORG = "portico.management.v1.StatisticsService.GetStatistics"
OF_INSTANCE = "portico.admin.v1.StatisticsService.GetStatistics"
USER = "portico.user.v2.UserService"
DAY = 86_400.0


async def statistics(managed: Any, by: str = "owner", name: str = OF_ORG) -> dict[str, Any]:
    response = await call_as(managed, name, {}, by=by, path="")
    assert response.code == 0, response.body
    return dict(response.body["statistics"])


def kinds(found: dict[str, Any]) -> list[str]:
    return [one["kind"].removeprefix("ATTENTION_KIND_") for one in found.get("attention", ())]


async def add(managed: Any, *counted: Counted) -> None:
    counts: DailyCounts = managed.users.service.find(DailyCounts)
    await counts.add(counted)


async def test_thirty_days_with_sign_ins_failures_and_reasons(managed: Any) -> None:
    """Days without numbers are listed, older ones are not; other organizations see none of it."""
    now, org = managed.users.parts.clock.now(), managed.org_id
    await add(
        managed,
        *[Counted(org, now, SIGNED_IN)] * 3,
        Counted(org, now - 29 * DAY, FAILED),
        Counted(org, now - 30 * DAY, FAILED),
        *[Counted(org, now, REFUSED, "AUTHZ-005")] * 2,
        Counted(org, now - DAY, REFUSED, "no such error"),
    )
    found, other = await statistics(managed), await statistics(managed, by="foreign")

    assert len(found["days"]) == 30
    assert found["days"][-1]["signIns"] == 3
    assert sum(day.get("failedSignIns", 0) for day in found["days"]) == found["days"][0]["failedSignIns"] == 1
    assert [(one["errorId"], one["count"]) for one in found["refusals"]] == [("AUTHZ-005", 2), ("other", 1)]
    assert found["refusals"][0]["text"]
    assert all(set(day) == {"date"} for day in other["days"])
    assert "refusals" not in other


async def test_users_are_those_of_the_organization(managed: Any) -> None:
    """The numbers may be a minute old."""
    at_first = await statistics(managed)
    await managed.add(managed.new_human("one", organisation={"orgId": managed.org_id}))
    at_once = await statistics(managed)
    managed.users.clock.tick(61)
    later = await statistics(managed)

    assert at_once["users"] == at_first["users"]
    assert later["users"]["total"] == at_first["users"]["total"] + 1
    assert later["users"]["created"] >= 1


async def test_single_owner_without_second_factor_needs_attention(managed: Any) -> None:
    """The owner is named for those who may read administrators."""
    await managed.users.parts.mongo.database["users"].update_one(
        {"_id": f"owner-{managed.tag}"},
        {"$set": {"type": "human", "hasPassword": True, "userName": "o", "displayName": "Olga"}},
    )
    found = await statistics(managed, by="iam")

    assert "ONE_OWNER" in kinds(found)
    (weak,) = [one for one in found["attention"] if one["kind"].endswith("NO_SECOND_FACTOR")]
    assert (weak["id"], weak["name"]) == (f"owner-{managed.tag}", "Olga")


async def test_failing_webhook_needs_attention(managed: Any) -> None:
    """A deactivated webhook, and one whose oldest delivery failed three times; not one that waits."""
    await managed.furnish("owner")
    database = managed.users.parts.mongo.database
    (row,) = await managed.users.rows("webhooks", orgId=managed.org_id)
    delivery = {"_id": f"d-{managed.tag}", "webhookId": row["_id"], "state": "waiting", "at": 1.0, "sequence": 1}
    seen = []
    for attempts in (2, 3):
        await database["webhookDeliveries"].replace_one(
            {"_id": delivery["_id"]}, delivery | {"attempts": attempts}, True
        )
        seen.append("WEBHOOK_FAILS" in kinds(await statistics(managed)))
    await database["webhookDeliveries"].delete_one({"_id": delivery["_id"]})
    await database["webhooks"].update_one({"_id": row["_id"]}, {"$set": {"failure": "HTTP 500"}})

    assert seen == [False, True]
    assert "WEBHOOK_FAILS" in kinds(await statistics(managed))


async def test_instance_adds_up_organizations_and_unknown_clients(managed: Any) -> None:
    now = managed.users.parts.clock.now() - 3 * DAY
    before = (await statistics(managed, by="iam", name=OF_INSTANCE))["days"][-4]
    await add(managed, Counted(managed.org_id, now, FAILED), Counted("", now, FAILED), Counted(INSTANCE, now, FAILED))
    after = (await statistics(managed, by="iam", name=OF_INSTANCE))["days"][-4]

    assert after["failedSignIns"] == before.get("failedSignIns", 0) + 3


async def test_old_signing_key_and_missing_mail_server_need_attention(managed: Any) -> None:
    """A newer key of the same algorithm replaces the old one."""
    now = managed.users.parts.clock.now()
    old = KeyState(kid="old", alg="RS256", state="signing", since=1.0, activates_at=now - 400 * DAY)
    new = KeyState(kid="new", alg="RS256", state="signing", since=1.0, activates_at=now - 4 * DAY)
    managed.api.keys = (old,)
    alone = await statistics(managed, by="iam", name=OF_INSTANCE)
    managed.api.keys = (new, old)
    replaced = await statistics(managed, by="iam", name=OF_INSTANCE)

    assert "OLD_SIGNING_KEY" in kinds(alone)
    assert "OLD_SIGNING_KEY" not in kinds(replaced)


def certificate(name: str, end: float) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    built = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
    built = built.serial_number(1).not_valid_before(datetime(2001, 1, 1, tzinfo=UTC))
    built = built.not_valid_after(datetime.fromtimestamp(end, UTC))
    built = built.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    return built.sign(key, SHA256()).public_bytes(Encoding.PEM)


async def test_ending_certificates_of_ldap_providers_need_attention(managed: Any) -> None:
    """Within 30 days and afterwards, unless a later certificate of the same subject replaces it."""
    now = managed.users.parts.clock.now()
    providers = {
        "soon": certificate("A", now + 29 * DAY),
        "ended": certificate("A", now - DAY) + certificate("B", now - DAY),
        "later": certificate("A", now + 31 * DAY),
        "replaced": certificate("A", now - DAY) + certificate("A", now + 400 * DAY),
        "system": b"",
    }
    body = {
        "servers": ["ldaps://ldap.example.com"], "baseDn": "dc=example", "bindDn": "cn=portico,dc=example",
        "bindPassword": "secret", "userObjectClasses": ["person"], "userFilters": ["uid"],
    }  # fmt: skip
    for name, pem in providers.items():
        named = {**body, "name": name, "rootCa": base64.b64encode(pem).decode()}
        added = await call_as(managed, "portico.management.v1.IDPService.AddLDAPProvider", named, path="")
        assert added.code == 0, added.body
    found = await statistics(managed)
    ending = [one for one in found["attention"] if one["kind"].endswith("CERTIFICATE_ENDS")]

    assert [(one["name"], one["count"]) for one in ending] == [("ended", 2), ("soon", 1)]
    assert all(one["id"] for one in ending)


async def test_address_that_the_server_does_not_take_is_shown(managed: Any) -> None:
    """An umlaut before the @ needs SMTPUTF8; until an email is delivered, the user and the start page have the reason."""
    reason = "the server takes no address with letters beyond ASCII before the @"
    id, path = f"jo-{managed.tag}", f"/v2/users/jo-{managed.tag}"
    address = f"j\N{LATIN SMALL LETTER O WITH DIAERESIS}-{managed.tag}@people.example"
    await managed.add(managed.new_human("jo", email={"email": address, "isVerified": True}))
    await managed.users.parts.mongo.database["mails"].delete_many({})
    managed.users.kept.failure = Undeliverable(reason)
    await call_as(managed, f"{USER}.PasswordReset", {}, path=f"{path}/password_reset")
    await managed.users.mails_to(address)
    shown, found = (await managed.get(id)).body["user"]["human"]["email"], await statistics(managed)
    foreign = await statistics(managed, by="foreign")
    of_instance = await statistics(managed, by="iam", name=OF_INSTANCE)
    managed.users.kept.failure = None
    await call_as(managed, f"{USER}.PasswordReset", {}, path=f"{path}/password_reset")
    await managed.users.mails_to(address)
    later = (await managed.get(id)).body["user"]["human"]["email"]

    assert shown["deliveryFailure"] == reason
    [item] = [one for one in found["attention"] if one["kind"] == "ATTENTION_KIND_ADDRESS_FAILS"]
    assert (item["count"], item["id"], item["name"], item["reason"]) == (1, id, "Ada Byron", reason)
    assert "ADDRESS_FAILS" not in kinds(foreign)
    assert reason in [one.get("reason") for one in of_instance["attention"]]
    assert "deliveryFailure" not in later
    assert "ADDRESS_FAILS" not in kinds(await statistics(managed))
