"""Which factors count at sign-in: by the login policy of the organization, or the instance's where it has none."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any, Final

import msgspec
import pytest
from portico_contracts.users import GET_LOGIN_POLICY, GRANTABLE, Factor, GetLoginPolicy
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_users.commands.orgs import put_org
from portico_users.commands.policies import put_instance
from portico_users.directory.instance import MongoInstance
from portico_users.directory.organizations.login_constraints import locked_out_by
from portico_users.directory.organizations.org import MongoOrgs
from portico_users.directory.policies.login_rules import LoginRules
from portico_users.kernel.journal import Journal

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
    """Lets a factor count."""
    name = f"{of}.Add{_place(word)[0]}FactorToLoginPolicy"
    return await call_as(managed, name, {"type": word}, by=by)


async def forbid(managed: Any, word: str, *, of: str = ORG, by: str = "owner") -> ApiResponse:
    """Lets it count no longer."""
    kind, segment = _place(word)
    path = f"/{'admin' if of == IAM else 'management'}/v1/policies/login/{segment}/{word}"
    name = f"{of}.Remove{kind}FactorFromLoginPolicy"
    return await call_as(managed, name, None, by=by, path=path)


async def listed(managed: Any, kind: str = "Second", *, by: str = "owner") -> list[str]:
    """The factors of the policy."""
    response = await call_as(managed, f"{ORG}.ListLoginPolicy{kind}Factors", {}, by=by)
    result: list[str] = response.body.get("result", [])
    assert response.body["details"].get("totalResult", "0") == str(len(result))
    return result


async def force(managed: Any, *, of: str = ORG, by: str = "owner", how: str = "AddCustom") -> ApiResponse:
    """Demands a factor."""
    name = f"{of}.{'Update' if of == IAM else how}LoginPolicy"
    return await call_as(managed, name, {"forceMfa": True}, by=by)


async def counting(managed: Any, org_id: str) -> tuple[Factor, ...]:
    """The policy as sign-in gets it."""
    policy = await managed.users.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=org_id))
    factors: tuple[Factor, ...] = policy.factors
    return factors


async def test_every_factor_is_allowed_by_default(managed: Any) -> None:
    """All that is served, in the lists, in the policy and for sign-in."""
    policy = (await call_as(managed, f"{ORG}.GetLoginPolicy", {})).body["policy"]

    assert await listed(managed) == policy["secondFactors"] == [U2F, OTP, OTP_EMAIL]
    assert await listed(managed, "Multi") == policy["multiFactors"] == [PASSKEY]
    assert await counting(managed, managed.org_id) == GRANTABLE


@pytest.mark.parametrize(("word", "factor"), ALL)
async def test_a_factor_counts_until_it_is_taken_out_and_again_after(managed: Any, word: str, factor: Factor) -> None:
    """In that organization only; what is as wanted is code 6, and code 5."""
    kind = _place(word)[0]
    before = await listed(managed, kind)
    codes = [(await forbid(managed, word)).code, (await forbid(managed, word)).code]
    without = await listed(managed, kind)
    told = await counting(managed, managed.org_id)
    elsewhere = await counting(managed, managed.other_org_id)
    again = [(await allow(managed, word)).code, (await allow(managed, word)).code]

    assert (codes, again) == ([0, 5], [0, 6])
    assert without == [one for one in before if one != word]
    assert told == tuple(one for one in GRANTABLE if one is not factor)
    assert elsewhere == GRANTABLE
    assert await listed(managed, kind) == before


async def test_factors_of_the_instance_apply_where_an_organization_sets_none(managed: Any) -> None:
    """The two lists are set separately; a reset removes both."""
    await forbid(managed, OTP)
    of_all = [(await forbid(managed, word, of=IAM, by="iam")).code for word in (U2F, PASSKEY)]
    own, others = await counting(managed, managed.org_id), await counting(managed, managed.other_org_id)
    reset = await call_as(managed, f"{ORG}.ResetLoginPolicyToDefault", None)

    assert of_all == [0, 0]
    assert own == (Factor.U2F, Factor.OTP_EMAIL)
    assert others == (Factor.TOTP, Factor.OTP_EMAIL)
    assert reset.code == 0
    assert await counting(managed, managed.org_id) == others


async def test_a_change_of_a_factor_is_an_event(managed: Any) -> None:
    """Of the organization, with the name of what changed, and without another policy."""
    response = await forbid(managed, OTP)
    events = await managed.users.rows("events", object=managed.org_id)
    update = await call_as(managed, f"{ORG}.UpdateCustomLoginPolicy", {})

    assert response.body["details"]["sequence"] == str(events[-1]["sequence"])
    assert events[-1]["fields"] == ["loginRules"]
    assert update.code == 5


async def test_text_messages_and_nothing_at_all_are_refused(managed: Any) -> None:
    """A factor that this service cannot send is refused."""
    sms = await allow(managed, "SECOND_FACTOR_TYPE_OTP_SMS")
    gone = await forbid(managed, "SECOND_FACTOR_TYPE_OTP_SMS")
    nothing = await allow(managed, "SECOND_FACTOR_TYPE_UNSPECIFIED")

    assert (sms.error_code, sms.fields, gone.error_code) == ("USER-404", ["type"], "USER-404")
    assert (nothing.code, nothing.fields) == (3, ["type"])


@pytest.mark.parametrize("last", [word for word, _ in ALL])
async def test_where_a_factor_is_demanded_the_last_one_stays(managed: Any, last: str) -> None:
    """Else no user could sign in any more; and where none counts, none is demanded."""
    assert (await force(managed)).code == 0
    codes = [(await forbid(managed, word)).code for word, _ in ALL if word != last]
    refused = await forbid(managed, last)

    assert codes == [0, 0, 0]
    assert (refused.code, refused.error_code) == (9, "USER-883")


async def test_no_factor_is_demanded_where_none_counts(managed: Any) -> None:
    """The rule holds across both policies, that of the organization and the instance's for it."""
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


async def test_an_organization_cannot_lose_the_last_one_the_instance_demands(managed: Any) -> None:
    """The demand is the instance's, and holds for all organizations without one of their own."""
    assert (await force(managed, of=IAM, by="iam")).code == 0
    codes = [(await forbid(managed, word)).code for word, _ in ALL]

    assert codes == [0, 0, 0, 9]


async def forbid_all_but(managed: Any, *words: str) -> None:
    """Leaves these to the instance."""
    for word, _ in ALL:
        if word not in words:
            assert (await forbid(managed, word, of=IAM, by="iam")).code == 0


async def test_the_instance_cannot_lose_the_last_one_an_organization_demands(managed: Any) -> None:
    """An organization that demands a factor and leaves the list to the instance is checked and named; a list of its own helps."""
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
async def test_an_organization_that_sets_one_list_relies_on_the_other(managed: Any, last: str) -> None:
    """Where its own list is empty, only what the instance has of the other kind counts."""
    own = [PASSKEY] if last == OTP else [U2F, OTP, OTP_EMAIL]
    for word in own:
        assert (await forbid(managed, word)).code == 0
    assert (await force(managed)).code == 0
    other = PASSKEY if last == OTP else OTP
    await forbid_all_but(managed, last, other)
    assert (await forbid(managed, other, of=IAM, by="iam")).code == 0

    assert (await allow(managed, other, of=IAM, by="iam")).code == 0
    assert (await forbid(managed, last, of=IAM, by="iam")).error_code == "USER-911"


async def test_the_instance_cannot_demand_what_an_organization_does_not_allow(managed: Any) -> None:
    """An organization without any factor that leaves to the instance whether one is demanded."""
    for word, _ in ALL:
        assert (await forbid(managed, word)).code == 0

    assert (await force(managed, of=IAM, by="iam")).error_code == "USER-911"
    assert (await allow(managed, U2F)).code == 0
    assert (await force(managed, of=IAM, by="iam")).code == 0


@pytest.mark.parametrize(("state", "code"), [("inactive", 9), ("deleted", 0)])
async def test_an_organization_that_is_switched_off_may_come_back(managed: Any, state: str, code: int) -> None:
    """It is checked all the same; a deleted one is not."""
    assert (await force(managed, by="foreign")).code == 0
    await forbid_all_but(managed, PASSKEY)
    orgs = managed.users.parts.mongo.database["orgs"]
    await orgs.update_one({"_id": managed.other_org_id}, {"$set": {"state": state}})

    assert (await forbid(managed, PASSKEY, of=IAM, by="iam")).code == code
    await orgs.update_one({"_id": managed.other_org_id}, {"$set": {"state": "active"}})


async def test_what_lets_in_more_people_asks_no_organization(managed: Any) -> None:
    """Also where an earlier release let one lock itself out."""
    await forbid_all_but(managed, PASSKEY)
    assert (await forbid(managed, PASSKEY, of=IAM, by="iam")).code == 0
    orgs = managed.users.parts.mongo.database["orgs"]
    locked = {"loginRules": {"forceMfa": True, "multiFactors": []}}
    await orgs.update_one({"_id": managed.org_id}, {"$set": locked})

    assert (await allow(managed, PASSKEY, of=IAM, by="iam")).code == 0


async def test_no_more_than_ten_organizations_are_named(managed: Any) -> None:
    """Only organizations that demand a factor are read, by an index."""
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


async def test_neither_overlooks_the_other(managed: Any, other_replica: Any) -> None:
    """An organization that demands a factor while the instance takes the last one out, and the other way round; by two
    replicas, for in one they take turns.
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


async def test_factors_are_declared(managed: Any) -> None:
    """What the document names counts, and nothing else; what it leaves out is not exported."""
    document = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply({**document, "loginPolicy": {"secondFactors": [OTP, OTP], "multiFactors": []}})
    declared = await counting(managed, managed.org_id)
    await managed.users.apply({**document, "loginPolicy": {}})

    assert declared == (Factor.TOTP,)
    assert await counting(managed, managed.org_id) == GRANTABLE
