from __future__ import annotations

import asyncio
import dataclasses
from typing import Any, Final

import msgspec
import pytest
from portico_contracts.users import GET_LOGIN_POLICY, GRANTED, Factor, FirstFactor, GetLoginPolicy
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_users.instance.instance import MongoInstance
from portico_users.journal.journal import Journal
from portico_users.organizations.edit_organizations import put_org
from portico_users.organizations.org import MongoOrgs
from portico_users.policies.edit_policies import put_instance
from portico_users.policies.login_constraints import locked_out_by
from portico_users.policies.login_rules import LoginRules

from .granting import Stop

pytestmark = pytest.mark.servers

ORG: Final = "portico.management.v1.PolicyService"
IAM: Final = "portico.admin.v1.PolicyService"
U2F, OTP, OTP_EMAIL = "SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_OTP_EMAIL"
PASSKEY: Final = "MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"
ALL: Final = ((U2F, Factor.U2F), (OTP, Factor.TOTP), (OTP_EMAIL, Factor.OTP_EMAIL), (PASSKEY, Factor.PASSKEY))


def _place(word: str) -> tuple[str, str]:
    return ("Multi", "multi_factors") if word == PASSKEY else ("Second", "second_factors")


async def allow(managed: Any, word: str, *, of: str = ORG, by: str = "owner") -> ApiResponse:
    name = f"{of}.Add{_place(word)[0]}FactorToLoginPolicy"
    return await call_as(managed, name, {"type": word}, by=by)


async def forbid(managed: Any, word: str, *, of: str = ORG, by: str = "owner") -> ApiResponse:
    kind, segment = _place(word)
    path = f"/{'admin' if of == IAM else 'management'}/v1/policies/login/{segment}/{word}"
    name = f"{of}.Remove{kind}FactorFromLoginPolicy"
    return await call_as(managed, name, None, by=by, path=path)


async def listed(managed: Any, kind: str = "Second", *, by: str = "owner") -> list[str]:
    response = await call_as(managed, f"{ORG}.ListLoginPolicy{kind}Factors", {}, by=by)
    result: list[str] = response.body.get("result", [])
    assert response.body["details"].get("totalResult", "0") == str(len(result))
    return result


async def force(managed: Any, *, of: str = ORG, by: str = "owner", how: str = "AddCustom") -> ApiResponse:
    name = f"{of}.{'Update' if of == IAM else how}LoginPolicy"
    return await call_as(managed, name, {"forceMfa": True}, by=by)


async def counting(managed: Any, org_id: str) -> tuple[Factor, ...]:
    policy = await managed.users.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=org_id))
    factors: tuple[Factor, ...] = policy.factors
    return factors


async def test_every_factor_is_allowed_by_default(managed: Any) -> None:
    """All supported factors are in the lists, in the policy and allowed at sign-in."""
    policy = (await call_as(managed, f"{ORG}.GetLoginPolicy", {})).body["policy"]

    assert await listed(managed) == policy["secondFactors"] == [U2F, OTP, OTP_EMAIL]
    assert await listed(managed, "Multi") == policy["multiFactors"] == [PASSKEY]
    assert await counting(managed, managed.org_id) == GRANTED


@pytest.mark.parametrize(("word", "factor"), ALL)
async def test_factor_can_be_removed_and_added_again(managed: Any, word: str, factor: Factor) -> None:
    """Only that organization changes; adding an allowed factor gives code 6, removing another code 5."""
    kind = _place(word)[0]
    before = await listed(managed, kind)
    codes = [(await forbid(managed, word)).code, (await forbid(managed, word)).code]
    without = await listed(managed, kind)
    told = await counting(managed, managed.org_id)
    elsewhere = await counting(managed, managed.other_org_id)
    again = [(await allow(managed, word)).code, (await allow(managed, word)).code]

    assert (codes, again) == ([0, 5], [0, 6])
    assert without == [one for one in before if one != word]
    assert told == tuple(one for one in GRANTED if one is not factor)
    assert elsewhere == GRANTED
    assert await listed(managed, kind) == before


async def test_organizations_inherit_factor_lists(managed: Any) -> None:
    """The two lists are inherited separately; a reset removes both."""
    await forbid(managed, OTP)
    of_all = [(await forbid(managed, word, of=IAM, by="iam")).code for word in (U2F, PASSKEY)]
    own, others = await counting(managed, managed.org_id), await counting(managed, managed.other_org_id)
    reset = await call_as(managed, f"{ORG}.ResetLoginPolicyToDefault", None)

    assert of_all == [0, 0]
    assert own == (Factor.U2F, Factor.OTP_EMAIL)
    assert others == (Factor.TOTP, Factor.OTP_EMAIL)
    assert reset.code == 0
    assert await counting(managed, managed.org_id) == others


async def test_factor_change_is_an_event(managed: Any) -> None:
    """The organization's event has the changed list, and the organization has a policy of its own."""
    response = await forbid(managed, OTP)
    events = await managed.users.rows("events", object=managed.org_id)
    policy = (await call_as(managed, f"{ORG}.GetLoginPolicy", None)).body["policy"]
    update = await call_as(managed, f"{ORG}.UpdateCustomLoginPolicy", {})

    assert response.body["details"]["sequence"] == str(events[-1]["sequence"])
    assert events[-1]["fields"] == ["loginRules"]
    assert ("isDefault" in policy, update.code) == (False, 0)


async def test_unsupported_factors_are_refused(managed: Any) -> None:
    """Text messages and an unspecified factor are refused."""
    sms = await allow(managed, "SECOND_FACTOR_TYPE_OTP_SMS")
    gone = await forbid(managed, "SECOND_FACTOR_TYPE_OTP_SMS")
    nothing = await allow(managed, "SECOND_FACTOR_TYPE_UNSPECIFIED")

    assert (sms.error_code, sms.fields, gone.error_code) == ("USER-404", ["type"], "USER-404")
    assert (nothing.code, nothing.fields) == (3, ["type"])


@pytest.mark.parametrize("last", [word for word, _ in ALL])
async def test_last_factor_stays_while_one_is_required(managed: Any, last: str) -> None:
    """Removing the last factor while one is required would prevent all sign-ins; so would requiring one without any."""
    assert (await force(managed)).code == 0
    codes = [(await forbid(managed, word)).code for word, _ in ALL if word != last]
    refused = await forbid(managed, last)

    assert codes == [0, 0, 0]
    assert (refused.code, refused.error_code) == (9, "USER-883")


async def test_factor_cannot_be_required_without_any(managed: Any) -> None:
    """The rule applies to the organization's and the instance's policy combined."""
    for word, _ in ALL:
        assert (await forbid(managed, word)).code == 0
    own = await force(managed)
    document = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    for word, _ in ALL:
        assert (await forbid(managed, word, of=IAM, by="iam")).code == 0
    of_all = await force(managed, of=IAM, by="iam")
    of_another = await force(managed, by="foreign")
    policy = {"forceMfa": True, "secondFactors": [], "multiFactors": []}
    with pytest.raises(ServiceError) as declared:
        await managed.users.apply({**document, "loginPolicy": policy})

    assert [response.error_code for response in (own, of_all, of_another)] == ["USER-883"] * 3
    assert declared.value.id == "USER-883"
    assert declared.value.text.startswith("organizations[0].loginPolicy.forceMfa: ")


async def test_org_keeps_a_factor_the_instance_requires(managed: Any) -> None:
    """A requirement of the instance applies to all organizations without their own."""
    assert (await force(managed, of=IAM, by="iam")).code == 0
    codes = [(await forbid(managed, word)).code for word, _ in ALL]

    assert codes == [0, 0, 0, 9]


async def forbid_all_but(managed: Any, *words: str) -> None:
    for word, _ in ALL:
        if word not in words:
            assert (await forbid(managed, word, of=IAM, by="iam")).code == 0


async def test_instance_keeps_a_factor_an_org_requires(managed: Any) -> None:
    """The error has the organization that requires a factor and inherits the list; with its own list there is no
    error.
    """
    assert (await force(managed)).code == 0
    await forbid_all_but(managed, PASSKEY)
    refused = await forbid(managed, PASSKEY, of=IAM, by="iam")
    response = [violation["field"] for violation in refused.body["details"][1]["fieldViolations"]]
    own = await allow(managed, OTP)

    assert (refused.code, refused.error_code, response) == (9, "USER-911", [f"organizations[{managed.org_id}]"])
    assert own.code == 0
    assert (await forbid(managed, PASSKEY, of=IAM, by="iam")).code == 0
    assert await counting(managed, managed.org_id) == (Factor.TOTP,)


@pytest.mark.parametrize("last", [OTP, PASSKEY])
async def test_org_with_one_empty_list_inherits_the_other(managed: Any, last: str) -> None:
    """If one list is empty, the instance's list of the other kind must have a factor."""
    own = [PASSKEY] if last == OTP else [U2F, OTP, OTP_EMAIL]
    for word in own:
        assert (await forbid(managed, word)).code == 0
    assert (await force(managed)).code == 0
    other = PASSKEY if last == OTP else OTP
    await forbid_all_but(managed, last, other)
    assert (await forbid(managed, other, of=IAM, by="iam")).code == 0

    assert (await allow(managed, other, of=IAM, by="iam")).code == 0
    assert (await forbid(managed, last, of=IAM, by="iam")).error_code == "USER-911"


async def test_instance_cannot_require_what_an_org_forbids(managed: Any) -> None:
    """The check covers organizations without any factor that inherit the requirement."""
    for word, _ in ALL:
        assert (await forbid(managed, word)).code == 0

    assert (await force(managed, of=IAM, by="iam")).error_code == "USER-911"
    assert (await allow(managed, U2F)).code == 0
    assert (await force(managed, of=IAM, by="iam")).code == 0


def first(*words: str) -> dict[str, Any]:
    return {"firstFactors": {"types": [f"FIRST_FACTOR_TYPE_{word}" for word in words]}}


async def begin_with(managed: Any, *words: str) -> ApiResponse:
    return await call_as(managed, f"{IAM}.UpdateLoginPolicy", first(*words), by="iam")


async def test_inherited_passkey_is_the_factor_an_org_requires(managed: Any) -> None:
    """A passkey among the first factors of the instance counts; the instance cannot drop it for such organizations."""
    await forbid_all_but(managed)
    assert (await begin_with(managed, "PASSWORD", "PASSKEY")).code == 0
    assert (await force(managed)).code == 0
    refused = await begin_with(managed, "PASSWORD")
    unrestricted = await call_as(
        managed, f"{IAM}.UpdateLoginPolicy", {"firstFactors": {"unrestricted": True}}, by="iam"
    )

    assert [(one.code, one.error_code) for one in (refused, unrestricted)] == [(9, "USER-911")] * 2
    assert refused.fields == [f"organizations[{managed.org_id}]"]
    own = {**first("PASSKEY"), "forceMfa": True}
    assert (await call_as(managed, f"{ORG}.UpdateCustomLoginPolicy", own)).code == 0
    assert (await begin_with(managed, "PASSWORD")).code == 0


async def test_org_without_passkeys_cannot_inherit_a_demand_for_them(managed: Any) -> None:
    """Its own first factors replace those of the instance, and with them the only second factor."""
    document = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await forbid_all_but(managed)
    assert (await begin_with(managed, "PASSWORD", "PASSKEY")).code == 0
    await managed.users.apply({**document, "loginPolicy": {"firstFactors": ["password"]}})
    of_all = await force(managed, of=IAM, by="iam")
    await managed.users.apply({**document, "loginPolicy": {"firstFactors": ["passkey"]}})
    again = await force(managed, of=IAM, by="iam")
    org = await MongoOrgs(managed.users.parts.mongo.database).find(managed.org_id)
    assert org is not None
    without = msgspec.structs.replace(org, login_rules=LoginRules(first_factors=(FirstFactor.PASSWORD,)))
    with pytest.raises(ServiceError) as refused:
        await managed.users.service.find(Journal).commit([put_org(org, without)])

    assert (of_all.error_code, of_all.fields) == ("USER-911", [f"organizations[{managed.org_id}]"])
    assert again.code == 0
    assert refused.value.id == "USER-883"


@pytest.mark.parametrize(("state", "code"), [("inactive", 9), ("deleted", 0)])
async def test_inactive_organizations_are_checked_too(managed: Any, state: str, code: int) -> None:
    """Inactive organizations are checked, because they can be reactivated; deleted ones are not."""
    assert (await force(managed, by="foreign")).code == 0
    await forbid_all_but(managed, PASSKEY)
    orgs = managed.users.parts.mongo.database["orgs"]
    await orgs.update_one({"_id": managed.other_org_id}, {"$set": {"state": state}})

    assert (await forbid(managed, PASSKEY, of=IAM, by="iam")).code == code
    await orgs.update_one({"_id": managed.other_org_id}, {"$set": {"state": "active"}})


async def test_relaxed_policy_checks_no_organization(managed: Any) -> None:
    """A relaxed policy is accepted even if an earlier release let an organization lock itself out."""
    await forbid_all_but(managed, PASSKEY)
    assert (await forbid(managed, PASSKEY, of=IAM, by="iam")).code == 0
    orgs = managed.users.parts.mongo.database["orgs"]
    locked = {"loginRules": {"forceMfa": True, "multiFactors": []}}
    await orgs.update_one({"_id": managed.org_id}, {"$set": locked})

    assert (await allow(managed, PASSKEY, of=IAM, by="iam")).code == 0


async def test_error_has_ten_organizations_at_most(managed: Any) -> None:
    """Only organizations that require a factor are read, by an index."""
    orgs = managed.users.parts.mongo.database["orgs"]
    template = await orgs.find_one({"_id": managed.other_org_id})
    stances: list[dict[str, Any]] = [{"forceMfa": True}] * 12 + [{"forceMfa": False}] * 200 + [{}] * 200
    names = [f"many-{number}-{managed.tag}" for number in range(len(stances))]
    await orgs.insert_many(
        [
            {**template, "_id": name, "nameKey": name, "domainKey": name, "domainKeys": [name], "loginRules": rules}
            for name, rules in zip(names, stances, strict=True)
        ]
    )
    await forbid_all_but(managed, PASSKEY)
    refused = await forbid(managed, PASSKEY, of=IAM, by="iam")
    question = locked_out_by(LoginRules(second_factors=(), multi_factors=()))
    asked = {"find": "orgs", "filter": question}
    told = await managed.users.parts.mongo.database.command("explain", asked, verbosity="executionStats")
    await orgs.delete_many({"_id": {"$in": names}})

    assert len(refused.body["details"][1]["fieldViolations"]) == 10
    assert told["executionStats"]["totalDocsExamined"] == 12


async def test_concurrent_policy_changes_conflict(managed: Any, other_replica: Any) -> None:
    """An organization's requirement and the instance's removal of the last factor cannot both succeed, on two
    replicas.
    """
    await forbid_all_but(managed, PASSKEY)
    database, journal = managed.users.parts.mongo.database, other_replica.service.find(Journal)
    org, instance = await MongoOrgs(database).find(managed.org_id), await MongoInstance(database).find_settings()
    assert org is not None
    assert instance is not None
    stop = Stop()
    demanding = msgspec.structs.replace(org, login_rules=LoginRules(force_mfa=True))
    late = asyncio.create_task(journal.commit([dataclasses.replace(put_org(org, demanding), side_writes=(stop,))]))
    await stop.reached.wait()
    assert (await forbid(managed, PASSKEY, of=IAM, by="iam")).code == 0
    stop.may_go_on.set()
    with pytest.raises(ServiceError) as refused:
        await late
    assert refused.value.id == "USER-883"

    assert (await allow(managed, PASSKEY, of=IAM, by="iam")).code == 0
    stop, before = Stop(), await MongoInstance(database).find_settings()
    assert before is not None
    without = msgspec.structs.replace(before, login_rules=LoginRules(second_factors=(), multi_factors=()))
    late = asyncio.create_task(
        journal.commit([dataclasses.replace(put_instance(before, without), side_writes=(stop,))])
    )
    await stop.reached.wait()
    assert (await force(managed)).code == 0
    stop.may_go_on.set()
    with pytest.raises(ServiceError) as refused:
        await late
    assert refused.value.id == "USER-911"


async def test_document_sets_the_factors(managed: Any) -> None:
    """Exactly the factors in the document are allowed; inherited lists are not exported."""
    document = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply({**document, "loginPolicy": {"secondFactors": [OTP, OTP], "multiFactors": []}})
    declared = await counting(managed, managed.org_id)
    await managed.users.apply({**document, "loginPolicy": {}})

    assert declared == (Factor.TOTP,)
    assert await counting(managed, managed.org_id) == GRANTED
