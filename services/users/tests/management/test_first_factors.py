"""First factors of an organization (decision 0143): where a password is verified, set and sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from portico_contracts.users import SEND_PASSWORD_LINK, SendPasswordLink
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint
from portico_users.after_response import AfterResponse
from portico_users.credentials.passwords.hashing import HASH_SECONDS

pytestmark = pytest.mark.servers

ORG: Final = "portico.management.v1.PolicyService"
IAM: Final = "portico.admin.v1.PolicyService"
USER: Final = "portico.user.v2.UserService"
OLD, NEW = "correct horse battery", "nine small sparrows"
PASSWORD, PASSKEY, EMAIL_CODE, PROVIDER = (
    f"FIRST_FACTOR_TYPE_{word}" for word in ("PASSWORD", "PASSKEY", "EMAIL_CODE", "PROVIDER")
)
JWT: Final = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}


class Rules:
    """An organization with the user pat, who has a password."""

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.pat = f"pat-{managed.tag}"

    async def set(self, *types: str, by: str = "owner", of: str = ORG, **fields: Any) -> ApiResponse:
        body = {"firstFactors": {"types": list(types)}, **fields}
        if of == ORG:
            added = await call_as(self.managed, f"{ORG}.AddCustomLoginPolicy", body, by=by)
            if added.code != 6:
                return added
        name = "UpdateLoginPolicy" if of == IAM else "UpdateCustomLoginPolicy"
        return await call_as(self.managed, f"{of}.{name}", body, by=by)

    async def lift(self) -> None:
        await call_as(self.managed, f"{ORG}.ResetLoginPolicyToDefault", {})
        body = {"firstFactors": {"unrestricted": True}, "exemptInstanceOwners": False}
        await call_as(self.managed, f"{IAM}.UpdateLoginPolicy", body, by="iam")

    async def shown(self) -> dict[str, Any]:
        policy: dict[str, Any] = (await call_as(self.managed, f"{ORG}.GetLoginPolicy", {})).body["policy"]
        return policy

    async def try_password(self, name: str = "", password: str = OLD) -> Any:
        return await self.managed.users.try_password(name or self.pat, password)

    async def add_provider(self) -> str:
        added = await call_as(
            self.managed, "portico.management.v1.IDPService.AddOrgJWTIDP", {"name": self.managed.tag, **JWT}
        )
        return str(added.body["idpId"])

    async def provider(self, verb: str, idp_id: str) -> ApiResponse:
        name = f"portico.management.v1.IDPService.{verb}OrgIDP"
        path = f"/management/v1/idps/{idp_id}" + ("/_deactivate" if verb == "Deactivate" else "")
        return await call_as(self.managed, name, None if verb == "Remove" else {}, path=path)

    async def offer(self, idp_id: str) -> ApiResponse:
        return await call_as(self.managed, f"{ORG}.AddIDPToLoginPolicy", {"idpId": idp_id})

    async def withdraw(self, idp_id: str, *, of: str = ORG, by: str = "owner") -> ApiResponse:
        path = f"/{'admin' if of == IAM else 'management'}/v1/policies/login/idps/{idp_id}"
        return await call_as(self.managed, f"{of}.RemoveIDPFromLoginPolicy", None, by=by, path=path)


@pytest.fixture
async def rules(managed: Any) -> AsyncIterator[Rules]:
    rules = Rules(managed)
    mail = {"email": managed.users.mail("pat"), "isVerified": True}
    body = managed.new_human("pat", email=mail, password={"password": OLD}, username=rules.pat)
    assert (await managed.add(body)).code == 0
    managed.tokens["pat"] = managed.api.token_of(rules.pat)
    managed.users.kept.taken.clear()
    yield rules
    await rules.lift()


def hashes() -> float:
    samples = (sample for metric in HASH_SECONDS.collect() for sample in metric.samples)
    return next(one.value for one in samples if one.name.endswith("_count"))


async def test_password_is_refused_like_a_wrong_one_and_works_again(rules: Rules) -> None:
    """The stored hash remains but is not compared; the response differs in what only the event has (LG-01)."""
    assert (await rules.set(PASSKEY)).code == 0
    before = hashes()
    refused = await rules.try_password()
    calls = hashes() - before
    unknown = await rules.try_password(f"nobody-{rules.managed.tag}")
    shown = await rules.shown()
    assert (await rules.set(PASSKEY, PASSWORD)).code == 0

    assert (refused.user, refused.attempted, refused.failure) == (None, rules.pat, "not_allowed")
    assert unknown.user is None
    assert calls == 1
    assert shown["firstFactors"] == {"types": [PASSKEY]}
    assert (await rules.try_password()).user is not None


async def test_rule_is_removed_and_absent_leaves_it(rules: Rules) -> None:
    """A policy that was read can be sent back; only `unrestricted` removes the rule."""
    await rules.set(PASSKEY)
    unaware = await call_as(rules.managed, f"{ORG}.UpdateCustomLoginPolicy", {"allowRegister": True})
    kept = await rules.shown()
    same = await call_as(rules.managed, f"{ORG}.UpdateCustomLoginPolicy", {**kept, "hidePasswordReset": True})
    body = {"firstFactors": {"unrestricted": True}}
    removed = await call_as(rules.managed, f"{ORG}.UpdateCustomLoginPolicy", body)

    assert (unaware.code, same.code, removed.code) == (0, 0, 0)
    assert kept["firstFactors"] == {"types": [PASSKEY]}
    assert "firstFactors" not in await rules.shown()
    assert (await rules.try_password()).user is not None


async def test_rule_of_the_instance_is_inherited_and_overridden(rules: Rules) -> None:
    assert (await rules.set(PASSKEY, of=IAM, by="iam")).code == 0
    inherited = await rules.try_password()
    assert (await rules.set(PASSWORD)).code == 0

    assert inherited.user is None
    assert (await rules.try_password()).user is not None


@pytest.mark.parametrize("way", ["SetPassword", "own", "add", "link", "hash"])
async def test_no_password_can_be_set(rules: Rules, way: str) -> None:
    """USER-183 wherever a password is set, before the current one is compared."""
    managed = rules.managed
    await rules.set(PASSKEY)
    before = hashes()
    path, body = f"/v2/users/{rules.pat}/password", {"newPassword": {"password": NEW}}
    if way == "SetPassword":
        answer = await call_as(managed, f"{USER}.SetPassword", body, path=path)
    elif way == "own":
        answer = await call_as(managed, f"{USER}.SetPassword", {**body, "currentPassword": OLD}, by="pat", path=path)
    elif way == "link":
        asked: dict[str, Any] = {"returnCode": {}}
        answer = await call_as(managed, f"{USER}.PasswordReset", asked, path=f"/v2/users/{rules.pat}/password_reset")
    elif way == "hash":
        hashed = {"password": {"hashedPassword": {"hash": "$2b$04$" + "a" * 53}}}
        answer = await call_as(managed, f"{USER}.UpdateHumanUser", hashed, path=f"/v2/users/human/{rules.pat}")
        assert answer.fields == ["password.hashedPassword.hash"]
    else:
        answer = await managed.add(managed.new_human("new", password={"password": NEW}))

    assert (answer.code, answer.error_code) == (9, "USER-183")
    assert hashes() == before


async def test_no_reset_is_sent(rules: Rules) -> None:
    """The response is that of an allowed reset, which sends one email."""
    users = rules.managed.users
    sent = []
    for types in ((PASSKEY,), (PASSKEY, PASSWORD)):
        await rules.set(*types)
        answer = await users.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=rules.pat, sender=types[-1]))
        await users.service.find(AfterResponse).close()
        sent.append((len(answer.challenge), len(await users.mails_to(users.mail("pat")))))

    assert sent[0][0] == sent[1][0]
    assert sent[1][1] - sent[0][1] == 1


async def test_refused_reset_leaves_a_code_to_guess(rules: Rules) -> None:
    """Also for a user without a password, so that guesses at it are answered like those at any other (LG-01)."""
    users = rules.managed.users
    mail: dict[str, Any] = {"email": users.mail("sam"), "isVerified": True}
    await rules.managed.add(rules.managed.new_human("sam", email=mail))
    await rules.set(PASSKEY)
    answer = await users.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=mail["email"], sender="sam"))
    await users.service.find(AfterResponse).close()

    assert len(await users.rows("challenges", _id=fingerprint(answer.challenge))) == 1
    assert await users.mails_to(str(mail["email"])) == []


async def test_exempt_owners_use_their_password(rules: Rules) -> None:
    """Only instance owners, only where the switch is on; each use is an event."""
    managed = rules.managed
    member = {"userId": rules.pat, "roles": ["IAM_OWNER"]}
    await rules.set(PASSKEY, exemptInstanceOwners=True)
    of_user = await rules.try_password()
    assert (await call_as(managed, "portico.admin.v1.MemberService.AddIAMMember", member, by="iam")).code == 0
    of_owner = await rules.try_password()
    events = await managed.users.rows("events", **{"values.userId": rules.pat, "action": "rule_exempted"})
    await rules.set(PASSKEY, exemptInstanceOwners=False)
    switched_off = await rules.try_password()

    assert (of_user.user, switched_off.user) == (None, None)
    assert of_owner.user is not None
    assert [(one["orgId"], one["activity"]) for one in events] == [(managed.org_id, "signIns.ruleExempted")]


@pytest.mark.parametrize(
    ("types", "code", "error"),
    [((), 3, "USER-180"), ((PROVIDER,), 9, "USER-181"), ((PASSWORD, PROVIDER), 9, "USER-181")],
)
async def test_impossible_rule_is_refused_at_its_field(
    rules: Rules, types: tuple[str, ...], code: int, error: str
) -> None:
    refused = await rules.set(*types)

    assert (refused.code, refused.error_code) == (code, error)
    assert refused.fields == ["firstFactors"]
    assert "firstFactors" not in await rules.shown()


async def test_last_provider_stays_where_nothing_else_is_allowed(rules: Rules) -> None:
    """It can be neither withdrawn, deactivated nor removed, until another first factor is allowed."""
    idp_id = await rules.add_provider()
    assert (await rules.offer(idp_id)).code == 0
    assert (await rules.set(PROVIDER)).code == 0
    refused = [
        await rules.withdraw(idp_id),
        await rules.provider("Deactivate", idp_id),
        await rules.provider("Remove", idp_id),
    ]
    assert (await rules.set(PROVIDER, PASSKEY)).code == 0
    deactivated = await rules.provider("Deactivate", idp_id)

    assert [(one.code, one.error_code) for one in refused] == [(9, "USER-181")] * 3
    assert deactivated.code == 0


async def test_provider_of_the_instance_is_the_way_in(rules: Rules) -> None:
    """An organization that inherits the offer keeps the instance from withdrawing it, and is named."""
    managed = rules.managed
    added = await call_as(managed, "portico.admin.v1.IDPService.AddJWTIDP", {"name": managed.tag, **JWT}, by="iam")
    idp_id = added.body["idpId"]
    await call_as(managed, f"{IAM}.AddIDPToLoginPolicy", {"idpId": idp_id}, by="iam")
    assert (await rules.set(PROVIDER)).code == 0
    withdrawn = await rules.withdraw(idp_id, of=IAM, by="iam")
    path = f"/admin/v1/idps/{idp_id}/_deactivate"
    deactivated = await call_as(managed, "portico.admin.v1.IDPService.DeactivateIDP", {}, by="iam", path=path)

    for one in (withdrawn, deactivated):
        assert (one.code, one.error_code) == (9, "USER-181")
        assert one.fields == [f"organizations[{managed.org_id}]"]


async def test_users_without_a_first_factor_are_counted(rules: Rules) -> None:
    """Users with none of the factors; and whether the caller is one of them."""
    asked = {"firstFactors": [PASSKEY]}
    counted = await call_as(rules.managed, f"{ORG}.CountAffectedUsers", asked)
    with_password = await call_as(rules.managed, f"{ORG}.CountAffectedUsers", {"firstFactors": [PASSWORD]})
    unasked = await call_as(rules.managed, f"{ORG}.CountAffectedUsers", {})

    assert int(counted.body["withoutFirstFactor"]) > int(with_password.body.get("withoutFirstFactor", 0))
    assert "withoutFirstFactor" not in unasked.body


async def test_reset_counts_and_names_who_would_be_locked_out(rules: Rules) -> None:
    """Users who sign in in a way that the instance does not allow; without the permission to read users, no names."""
    managed = rules.managed
    await rules.set(PASSWORD, PASSKEY)
    before = await call_as(managed, f"{ORG}.CountAffectedUsers", {"inherited": True})
    await rules.set(EMAIL_CODE, of=IAM, by="iam")
    unproven: dict[str, Any] = {"email": managed.users.mail("una"), "returnCode": {}}
    await managed.add(managed.new_human("una", email=unproven, password={"password": OLD}, username="una"))
    after = await call_as(managed, f"{ORG}.CountAffectedUsers", {"inherited": True})
    names = after.body["loginNames"]
    member = {"userId": rules.pat, "roles": ["ORG_SETTINGS_MANAGER"]}
    assert (await call_as(managed, "portico.management.v1.MemberService.AddOrgMember", member)).code == 0
    without = await call_as(managed, f"{ORG}.CountAffectedUsers", {"inherited": True}, by="pat")

    assert "withoutFirstFactor" not in before.body
    assert "loginNames" not in before.body
    assert int(after.body["withoutFirstFactor"]) == len(names) == 1
    assert names == [f"una@{managed.domain(managed.org_id)}"]
    assert (without.code, without.body["withoutFirstFactor"]) == (0, after.body["withoutFirstFactor"])
    assert "loginNames" not in without.body


async def test_reset_is_refused_where_the_instance_leaves_no_way_in(rules: Rules) -> None:
    """Also by a document: the instance allows providers only, and the organization offers none of its own."""
    managed, users = rules.managed, rules.managed.users
    added = await call_as(managed, "portico.admin.v1.IDPService.AddJWTIDP", {"name": managed.tag, **JWT}, by="iam")
    await call_as(managed, f"{IAM}.AddIDPToLoginPolicy", {"idpId": added.body["idpId"]}, by="iam")
    await rules.set(PASSWORD)
    # By the API it is refused where organizations of other tests offer no provider either.
    instance = {"$set": {"loginRules.firstFactors": ["provider"]}}
    await users.parts.mongo.database["instances"].update_one({}, instance)
    own = {"$set": {"loginRules.idps": [], "loginRules.firstFactors": ["password"]}}
    await users.parts.mongo.database["orgs"].update_one({"_id": managed.org_id}, own)
    idps = users.parts.mongo.database["idps"]
    await idps.update_one({"_id": added.body["idpId"]}, {"$set": {"state": "inactive"}})
    reset = await call_as(managed, f"{ORG}.ResetLoginPolicyToDefault", {})
    document = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    with pytest.raises(ServiceError) as declared:
        await users.apply({**document, "loginPolicy": {}})

    assert (reset.code, reset.error_code) == (9, "USER-181")
    assert declared.value.id == "USER-181"


async def test_invitation_to_nothing_is_refused_when_it_is_sent(rules: Rules) -> None:
    """It leads to a password or a passkey; where one of them is allowed, it is sent."""
    managed = rules.managed
    await managed.add(managed.new_human("ivy"))
    path = f"/v2/users/ivy-{managed.tag}/invite_code"
    await rules.set(EMAIL_CODE)
    refused = await call_as(managed, f"{USER}.CreateInviteCode", {"sendCode": {}}, path=path)
    await rules.set(EMAIL_CODE, PASSKEY)
    sent = await call_as(managed, f"{USER}.CreateInviteCode", {"sendCode": {}}, path=path)

    assert (refused.code, refused.error_code, sent.code) == (9, "USER-184", 0)


async def test_documents_state_the_rule(rules: Rules) -> None:
    """In one order, each once; an empty list is refused at its place."""
    users = rules.managed.users
    await users.home(loginPolicy={"firstFactors": ["email_code", "passkey", "passkey"]})
    with pytest.raises(ServiceError) as refused:
        await users.home(loginPolicy={"firstFactors": []})
    with pytest.raises(ServiceError) as without:
        await users.home(loginPolicy={"firstFactors": ["provider"]})

    row = await users.parts.mongo.database["orgs"].find_one({"_id": users.org_id})
    assert row["loginRules"] == {"firstFactors": ["passkey", "email_code"]}
    assert refused.value.id == "USER-180"
    assert refused.value.text.startswith("organizations[0].loginPolicy.firstFactors: ")
    assert without.value.id == "USER-181"


async def test_rule_is_shown_by_other_operations(rules: Rules) -> None:
    """The account page learns that no password can be set; ZITADEL's settings have the same answer."""
    await rules.set(PASSKEY)
    managed = rules.managed
    methods = await call_as(
        managed, f"{USER}.ListAuthenticationMethodTypes", {}, path=f"/v2/users/{rules.pat}/authentication_methods"
    )

    assert methods.body["passwordNotAllowed"]
    assert "AUTHENTICATION_METHOD_TYPE_PASSWORD" in methods.body["authMethodTypes"]
