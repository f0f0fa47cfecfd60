"""Trusted workloads of service users and applications: what is stored, what token gets, and what is refused at save."""

from __future__ import annotations

import json
import time
from typing import Any, Final

import pytest
from portico_contracts.users import (
    EXPORT,
    GET_ISSUER_KEYS,
    GET_SERVICE_USER,
    WORKLOAD_USED,
    ConditionMatch,
    Export,
    GetIssuerKeys,
    GetServiceUser,
    TrustedWorkload,
    WorkloadUsed,
)
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.jose import SigningKey
from portico_users.values.operator_settings import Issuer

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

OF: Final = "portico.management.v1.ServiceUserService"
ISSUER: Final = "https://token.actions.githubusercontent.com"
CLUSTER: Final = "https://kubernetes.default.svc.cluster.local"
KEY: Final = SigningKey.generate("k1", "ES256")
KEY_SET: Final = json.dumps({"keys": [KEY.public_jwk(), {"kty": "oct", "kid": "ignored", "use": "enc"}]})
OTHER_KEY: Final = SigningKey.generate("k1", "ES256")
OTHER_SET: Final = json.dumps({"keys": [OTHER_KEY.public_jwk()]})


def condition(value: str, claim: str = "sub", *, prefix: bool = False) -> dict[str, Any]:
    match = {"match": "CONDITION_MATCH_PREFIX"} if prefix else {}
    return {"claim": claim, "value": value, **match}


def workload(*conditions: dict[str, Any], **members: Any) -> dict[str, Any]:
    wanted = conditions or (condition("repo:acme/shop:", prefix=True),)
    return {"name": "ci", "issuer": ISSUER, "conditions": [*wanted], **members}


async def on_bot(managed: Any, method: str, body: Any, path: str) -> ApiResponse:
    return await call_as(managed, f"{OF}.{method}", body, by="owner", path=f"/management/v1/users{path}")


@pytest.fixture
async def bot(managed: Any) -> str:
    await managed.furnish("owner")
    added = await on_bot(managed, "AddMachineUser", {"userName": f"bot-{managed.tag}", "name": "Bot"}, "/machine")
    return f"{added.body['userId']}"


async def save(managed: Any, bot: str, *workloads: dict[str, Any]) -> ApiResponse:
    body = {"trustedWorkloads": [*workloads]}
    return await on_bot(managed, "SetMachineTrustedWorkloads", body, f"/{bot}/trusted_workloads")


async def listed(managed: Any, bot: str) -> dict[str, Any]:
    return (await on_bot(managed, "GetMachineTrustedWorkloads", {}, f"/{bot}/trusted_workloads")).body


async def trusted_by(managed: Any, bot: str) -> tuple[TrustedWorkload, ...]:
    found = await managed.users.call(GET_SERVICE_USER, GetServiceUser(client_id=bot))
    trusted: tuple[TrustedWorkload, ...] = found.service_user.trusted_workloads
    return trusted


async def test_trusted_workloads_reach_token(managed: Any, bot: str) -> None:
    """Conditions, audience and the keys that were pasted; a second call replaces them all."""
    pod = workload(condition("system:serviceaccount:shop:orders"), name="pod", issuer=CLUSTER, keySet=KEY_SET)
    saved = await save(managed, bot, workload(audience="portico"), pod)
    ci, of_pod = await trusted_by(managed, bot)
    shown = await listed(managed, bot)
    emptied = await save(managed, bot)

    assert [saved.code, emptied.code] == [0, 0]
    assert (ci.name, ci.issuer, ci.audience, ci.has_keys) == ("ci", ISSUER, "portico", False)
    assert [(one.claim, one.value, one.match) for one in ci.conditions] == [
        ("sub", "repo:acme/shop:", ConditionMatch.PREFIX)
    ]
    assert (of_pod.has_keys, [(key.kid, key.alg) for key in of_pod.keys]) == (True, [("k1", "ES256")])
    assert (shown["trustedWorkloads"], shown["details"]["sequence"]) == ([workload(audience="portico"), pod], "2")
    assert await trusted_by(managed, bot) == ()


async def test_applications_trust_workloads_too(managed: Any) -> None:
    """Of both kinds, and with other settings kept; not without authentication, nor in the FAPI 2.0 profile."""
    await managed.furnish("owner")
    app = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE)).body
    path = f"/{app['appId']}"
    saved = await on_apps(managed, "SetAppTrustedWorkloads", f"{path}/trusted_workloads", trustedWorkloads=[workload()])
    changed = await on_apps(managed, "UpdateOIDCAppConfig", f"{path}/oidc_config", **CODE, devMode=True)
    public = await on_apps(
        managed, "UpdateOIDCAppConfig", f"{path}/oidc_config", **CODE, authMethodType="OIDC_AUTH_METHOD_TYPE_NONE"
    )
    shown = await on_apps(managed, "GetAppTrustedWorkloads", f"{path}/trusted_workloads")
    client = await managed.users.client(app["clientId"])

    assert [one.code for one in (saved, changed)] == [0, 0]
    assert (public.code, public.fields) == (3, ["trustedWorkloads"])
    assert shown.body["trustedWorkloads"] == [workload()]
    assert [one.name for one in client.trusted_workloads] == ["ci"]


WRONG: Final[list[tuple[dict[str, Any], str]]] = [
    (workload(name=""), "name"),
    (workload(issuer="http://ci.example.test"), "issuer"),
    (workload(issuer="ci.example.test"), "issuer"),
    (workload(issuer=ISSUER + "?a=b"), "issuer"),
    (workload(issuer=ISSUER + "#a"), "issuer"),
    (workload(issuer="https://user@ci.example.test"), "issuer"),
    (workload(issuer="HTTPS://ci.example.test"), "issuer"),
    (workload(audience="two words"), "audience"),
    (workload(keySet="{"), "keySet"),
    (workload(keySet='{"keys": []}'), "keySet"),
    (workload(keySet=json.dumps({"keys": [{**KEY.public_jwk(), "kid": "\ud800"}]})), "keySet"),
    (workload(keySet=json.dumps({"keys": [KEY.public_jwk(), {"kty": "oct", "k": "c2VjcmV0"}]})), "keySet"),
    (workload(keySet=json.dumps({"keys": [{**KEY.public_jwk(), "d": "c2VjcmV0"}]})), "keySet"),
    (workload(keySet=json.dumps({"keys": [KEY.public_jwk(), OTHER_KEY.public_jwk()]})), "keySet"),
    (workload(condition("repo:acme/*", prefix=True)), "conditions[0]"),
    (workload(condition("repo:acme/shop:*")), "conditions[0]"),
    (workload(condition("repo:acme/shop", prefix=True)), "conditions[0]"),
    (workload(condition("repo:acme/shop:ref:a"), condition("repo:acme/shop:ref:b")), "conditions[1]"),
    (workload(condition("repo:", prefix=True)), "conditions[0].value"),
    (workload(condition("repo:acme/", prefix=True)), "conditions[0].value"),
    (workload(condition("acme/", prefix=True)), "conditions[0].value"),
    (workload(condition("repository_owner:acme")), "conditions[0].value"),
    (workload(condition("system:", prefix=True), issuer=CLUSTER), "conditions[0].value"),
    (workload(condition("system:serviceaccount:", prefix=True), issuer=CLUSTER), "conditions[0].value"),
    (workload(condition("project_path:acme/", prefix=True), issuer="https://gitlab.com"), "conditions[0].value"),
    (workload(condition("spiffe://acme.test/", prefix=True), issuer="https://spire.test"), "conditions[0].value"),
    (workload(condition("user:", prefix=True), issuer="https://ci.example.test"), "conditions[0].value"),
    (workload(condition("main", "ref"), issuer="https://ci.example.test"), "conditions"),
    (workload(condition("acme/", "repository", prefix=True), issuer="https://ci.example.test"), "conditions"),
    (workload(condition("acme/flows/.github/x.yml@main", "job_workflow_ref")), "conditions"),
]


async def test_wrong_workloads_are_refused_with_their_field(managed: Any, bot: str) -> None:
    """A wide subject, an issuer that is no https URL, keys that are private, and names that repeat; nothing is stored."""
    for wrong, field in WRONG:
        refused = await save(managed, bot, wrong)
        assert (refused.code, refused.fields) == (3, [f"trustedWorkloads[0].{field}"]), (wrong, refused.body)
    twice = await save(managed, bot, workload(), workload())
    none = await save(managed, bot, {"name": "ci", "issuer": ISSUER})
    many = await save(managed, bot, *[workload(name=f"ci {number}") for number in range(21)])

    assert [one.code for one in (twice, none, many)] == [3] * 3
    assert twice.fields == ["trustedWorkloads[1].name"]
    assert "trustedWorkloads" not in await listed(managed, bot)


async def test_a_kid_names_one_key_of_an_issuer(managed: Any, bot: str) -> None:
    """Different keys with one kid are refused in all trusted workloads of an issuer together (USER-247); the same key may
    be pasted for each, and other issuers have their own.
    """
    pasted = {"issuer": CLUSTER, "keySet": KEY_SET}
    pod, same, other, elsewhere = (
        workload(condition(f"system:serviceaccount:shop:{number}"), name=f"{number}", **(pasted | changes))
        for number, changes in enumerate(
            ({}, {}, {"keySet": OTHER_SET}, {"keySet": OTHER_SET, "issuer": f"{CLUSTER}2"})
        )
    )
    clash = await save(managed, bot, pod, same, other)

    assert (clash.code, clash.fields) == (3, ["trustedWorkloads[2].keySet"])
    assert "USER-247" in clash.body["message"]
    assert (await save(managed, bot, pod, same, elsewhere)).code == 0


async def test_narrow_workloads_are_accepted(managed: Any, bot: str) -> None:
    """A prefix that names a repository, project or namespace, and an exact claim that does."""
    right = [
        workload(condition("repo:acme/shop:environment:production")),
        workload(condition("repo:acme@1/shop@2:ref:refs/heads/main")),
        workload(condition("acme/shop", "repository"), condition("refs/heads/main", "ref")),
        workload(condition("repo:acme/", prefix=True), condition("12345", "repository_id")),
        workload(condition("system:serviceaccount:shop:", prefix=True), issuer=CLUSTER),
        workload(condition("project_path:acme/web/shop:", prefix=True), issuer="https://gitlab.com"),
        workload(condition("spiffe://acme.test/shop/", prefix=True), issuer="https://spire.test/a/"),
        workload(condition("anything"), issuer="https://ci.example.test"),
        workload(condition("0oa1", "azp"), issuer="https://login.example.test/tenant/v2.0"),
    ]
    for one in right:
        saved = await save(managed, bot, one)
        assert saved.code == 0, (one, saved.body)


async def test_keys_of_an_untrusted_issuer_are_never_fetched(managed: Any, bot: str) -> None:
    """Neither are those of an issuer whose keys were pasted, nor any for an unknown client."""
    await save(managed, bot, workload(keySet=KEY_SET))
    answers = [
        await managed.users.call(GET_ISSUER_KEYS, GetIssuerKeys(client_id=client_id, issuer=issuer))
        for client_id, issuer in ((bot, ISSUER), (bot, "https://other.example.test"), ("none", ISSUER))
    ]

    assert [(one.is_known, one.keys) for one in answers] == [(False, ())] * 3


async def test_our_own_issuer_is_refused(managed: Any, bot: str) -> None:
    """In each spelling that leads to the same host: our tokens are for exchange, not for authentication."""
    host = str(managed.users.service.find(Issuer)).partition("://")[2]
    for spelling in (f"https://{host}", f"https://{host}/", f"https://{host.upper()}"):
        refused = await save(managed, bot, workload(issuer=spelling))

        assert (refused.code, refused.fields) == (3, ["trustedWorkloads[0].issuer"]), spelling
        assert "USER-233" in refused.body["message"]
    assert (await save(managed, bot, workload(condition("a"), issuer=f"https://{host}/other"))).code == 0


async def test_documents_declare_and_keep_them(managed: Any, bot: str) -> None:
    """An export has them, and a document that leaves them out keeps them."""
    await save(managed, bot, workload(keySet=KEY_SET))

    exported = (await managed.users.call(EXPORT, Export(org_id=managed.org_id))).document
    (org,) = exported.organizations
    (declared,) = [one for one in org.service_users if one.id == bot]

    assert [one.name for one in declared.trusted_workloads] == ["ci"]
    assert declared.trusted_workloads[0].key_set == KEY_SET


async def test_a_use_is_an_event_that_marks_the_token(managed: Any, bot: str) -> None:
    """The list has the time; the log one row an hour, which states that the token can be used again."""
    await save(managed, bot, workload())
    used_at = WorkloadUsed(client_id=bot, workload="ci", issuer=ISSUER, at=time.time())
    for _ in range(2):
        await managed.users.bus.send(WORKLOAD_USED, used_at)

    [use] = (await listed(managed, bot))["lastUses"]
    rows = await managed.users.rows("events", action="signed_in_by_workload", actor=bot)

    assert (use["name"], "time" in use) == ("ci", True)
    assert [(row["activity"], row["values"]["workload"], row["values"]["count"]) for row in rows] == [
        ("signIns.workload", "ci", 2)
    ]
