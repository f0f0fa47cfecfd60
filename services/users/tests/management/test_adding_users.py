from __future__ import annotations

import base64
from typing import Any

import pytest
from portico_fakes.management_api import call_as, message_of

pytestmark = pytest.mark.servers

ADD = "portico.user.v2.UserService.AddHumanUser"


async def test_every_field_is_read_back(managed: Any) -> None:
    value = base64.b64encode(b"\x00\xff").decode()
    body = managed.new_human(
        username=f"Ada.{managed.tag}",
        profile={
            "firstName": "Ada",
            "lastName": "Byron",
            "nickName": "The Countess",
            "displayName": "Ada Lovelace",
            "preferredLanguage": "en-GB",
            "gender": "GENDER_FEMALE",
        },
        phone={"phone": "+41791234567", "isVerified": True},
        attributes={"middleName": "King", "address": {"country": "GB"}},
        metadata=[{"key": "role", "value": value}],
        organisation={"orgId": managed.org_id, "orgDomain": managed.domain(managed.org_id)},
        password={"password": "correct horse battery", "changeRequired": True},
    )

    added = await managed.add(body)
    assert added.code == 0, added.body
    assert added.body["userId"] == body["userId"]
    assert added.body["details"]["sequence"] == "1"
    assert added.body["details"]["resourceOwner"] == managed.org_id
    assert "emailCode" not in added.body

    user = (await managed.get(body["userId"])).body["user"]
    assert user["username"] == f"Ada.{managed.tag}"
    assert user["state"] == "USER_STATE_ACTIVE"
    assert user["preferredLoginName"] == f"Ada.{managed.tag}@{managed.domain(managed.org_id)}"
    assert user["human"] == {
        "profile": body["profile"],
        "email": body["email"],
        "phone": body["phone"],
        "attributes": body["attributes"],
        "passwordChangeRequired": True,
        "passwordChanged": user["details"]["creationDate"],
    }
    rows = await managed.users.rows("users", _id=body["userId"])
    assert rows[0]["metadata"] == [{"key": "role", "value": "AP8"}]


async def test_all_protocols_create_equal_users(managed: Any) -> None:
    """JSON, Connect and gRPC-web create users that read alike."""
    token = managed.tokens["owner"]
    answers = [
        await managed.add(managed.new_human("json")),
        await managed.api.connect(ADD, message_of(ADD, managed.new_human("connect")), token=token),
        await managed.api.grpc_web(ADD, message_of(ADD, managed.new_human("web")), token=token),
    ]

    assert [answer.code for answer in answers] == [0, 0, 0]
    assert [answer.body["userId"].split("-")[0] for answer in answers] == ["json", "connect", "web"]
    assert len({frozenset(answer.body["details"]) for answer in answers}) == 1


async def test_errors_are_equal_in_all_protocols(managed: Any) -> None:
    """Code, id, text, fields and language of an error do not depend on the protocol."""
    body = managed.new_human(profile={"firstName": "", "lastName": "x" * 201})
    token = managed.tokens["owner"]
    by_json = await managed.add(body)
    by_connect = await managed.api.connect(ADD, message_of(ADD, body), token=token)
    by_web = await managed.api.grpc_web(ADD, message_of(ADD, body), token=token)

    assert by_json.code == 3
    assert by_json.error_code == "USER-303"
    assert by_json.fields == ["profile.firstName", "profile.lastName"]
    assert by_json.body["details"] == by_connect.body["details"] == by_web.body["details"]
    assert by_json.body["message"] == by_connect.body["message"] == by_web.body["message"]


async def test_user_name_defaults_to_the_email_address(managed: Any) -> None:
    """Without `username` the email address becomes the user name, and the id is generated."""
    body = managed.new_human()
    del body["userId"]
    added = await managed.add(body)
    user = (await managed.get(added.body["userId"])).body["user"]

    assert user["username"] == body["email"]["email"]
    assert user["human"]["profile"]["displayName"] == "Ada Byron"


@pytest.mark.parametrize("member", ["userId", "username"])
async def test_taken_id_or_name_is_refused(managed: Any, member: str) -> None:
    """Ids and user names are unique in the instance; a taken one gives code 6 (MG-08)."""
    first = managed.new_human("one", username=f"one-{managed.tag}")
    second = managed.new_human("two", username=f"two-{managed.tag}")
    second[member] = first[member].upper() if member == "username" else first[member]
    await managed.add(first)

    assert (await managed.add(second)).code == 6


async def test_a_code_is_returned_on_request(managed: Any) -> None:
    """With `returnCode` the caller receives the code, of which only a hash is stored."""
    body = managed.new_human(email={"email": f"code-{managed.tag}@mail.example", "returnCode": {}})
    added = await managed.add(body)
    [row] = await managed.users.rows("challenges", **{"purpose.userId": body["userId"]})

    assert row["codeHash"]
    assert len(added.body["emailCode"]) == 6
    assert added.body["emailCode"] not in str(row)


async def test_is_verified_false_counts_as_absent(managed: Any) -> None:
    """`isVerified: false` counts as absent, also together with another choice."""
    address = f"plain-{managed.tag}@mail.example"
    body = managed.new_human(email={"email": address, "isVerified": False, "returnCode": {}})
    added = await managed.add(body)

    assert added.code == 0
    assert len(added.body["emailCode"]) == 6


@pytest.mark.parametrize(
    "template",
    [
        "javascript:alert(1)",
        "https://a@b/{{.Code}}",
        "//x/{{.Code}}",
        "https://x.example/\r\n",
        "https://x.example/{{.Password}}",
    ],
)
async def test_unsafe_url_template_is_refused(managed: Any, template: str) -> None:
    """URL templates must be https or loopback, without user info and with known placeholders only (HH-06)."""
    email = {"email": f"t-{managed.tag}@mail.example", "sendCode": {"urlTemplate": template}}
    refused = await managed.add(managed.new_human(email=email))

    assert refused.code == 3
    assert refused.fields == ["email.sendCode.urlTemplate"]


async def test_password_against_the_policy_is_refused(managed: Any) -> None:
    """A common password is refused with the field it was given in."""
    refused = await managed.add(managed.new_human(password={"password": "password1"}))

    assert refused.code == 3
    assert refused.fields == ["password.password"]


@pytest.mark.parametrize("organisation", ["unknown", "foreign", "foreign domain", "own and foreign"])
async def test_other_organization_counts_as_unknown(managed: Any, organisation: str) -> None:
    """An organization without a role of the caller gives the same code 5 as an unknown one (MG-04)."""
    named = {
        "unknown": {"orgId": "nobody"},
        "foreign": {"orgId": managed.other_org_id},
        "foreign domain": {"orgDomain": managed.domain(managed.other_org_id)},
        "own and foreign": {"orgId": managed.org_id, "orgDomain": managed.domain(managed.other_org_id)},
    }[organisation]
    refused = await managed.add(managed.new_human(organisation=named))
    unknown = await managed.add(managed.new_human(organisation={"orgDomain": "nowhere.example"}))

    assert refused == unknown
    assert refused.code == 5


async def test_id_and_domain_of_different_orgs_are_refused(managed: Any) -> None:
    """A caller who may see both organizations gets code 3 if id and domain differ."""
    named = {"orgId": managed.org_id, "orgDomain": managed.domain(managed.other_org_id)}
    refused = await managed.add(managed.new_human(organisation=named), by="iam")

    assert (refused.code, refused.error_code) == (3, "USER-316")


async def test_header_selects_the_organization(managed: Any) -> None:
    """Both names of the header select the organization, which is refused without a role in it (MG-01)."""
    for number, header in enumerate(("x-service-orgid", "x-zitadel-orgid")):
        body = managed.new_human(f"h{number}")
        added = await managed.add(body, by="iam", headers={header: managed.other_org_id})
        assert added.body["details"]["resourceOwner"] == managed.other_org_id

    refused = await managed.add(managed.new_human("h3"), headers={"x-service-orgid": managed.other_org_id})
    unknown = await managed.add(managed.new_human("h3"), headers={"x-service-orgid": "nobody"})
    assert refused == unknown
    assert refused.code == 7


async def test_id_may_contain_a_slash(managed: Any) -> None:
    """The path is split before it is decoded, also under older prefixes."""
    id = f"a/b?c#d%20-{managed.tag}"
    await managed.add(managed.new_human(userId=id))
    encoded = f"a%2Fb%3Fc%23d%2520-{managed.tag}"

    assert (await managed.get(encoded)).body["user"]["userId"] == id
    token = managed.tokens["owner"]
    for prefix in ("v2beta", "v2alpha"):
        found = await managed.api.json(
            "portico.user.v2.UserService.GetUserByID", {}, token=token, path=f"/{prefix}/users/{encoded}"
        )
        assert found.body["user"]["userId"] == id


@pytest.mark.parametrize(
    "spelling",
    ["eve@{domain}", "EVE@{domain}", "eve@x@{domain}", "eve\uff20{domain}", "eve\ufe6b{domain}", "eve@{wide}"],
)
async def test_name_in_domain_of_another_org_is_refused(managed: Any, spelling: str) -> None:
    """A user name in another organization's domain is refused, because it could pass as one of its login names."""
    domains = managed.domain(managed.other_org_id), managed.domain(managed.org_id)
    foreign, own = (spelling.format(domain=one, wide=one.replace(".", "\u3002")) for one in domains)
    named = await managed.add(managed.new_human("eve", username=foreign))
    unnamed = managed.new_human(
        "eve", email={"email": f"eve@{managed.domain(managed.other_org_id)}", "isVerified": True}
    )
    assert (await managed.add(managed.new_human("eve", username=own))).code == 0
    path = f"/v2/users/human/eve-{managed.tag}"
    update = "portico.user.v2.UserService.UpdateHumanUser"
    renamed = await call_as(managed, update, {"username": foreign}, path=path)
    service_user = await call_as(
        managed, "portico.management.v1.ServiceUserService.AddMachineUser", {"userName": foreign, "name": "robot"}
    )

    assert (named.error_code, named.fields) == ("USER-864", ["username"])
    assert (await managed.add(unnamed)).fields == ["email.email"]
    assert (renamed.error_code, renamed.fields) == ("USER-864", ["username"])
    assert (service_user.error_code, service_user.fields) == ("USER-864", ["userName"])
