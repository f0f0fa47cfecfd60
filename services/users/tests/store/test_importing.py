from __future__ import annotations

import asyncio
import json
from base64 import b32decode
from typing import Any

import bcrypt
import pytest
from portico_contracts.users import IMPORT_USERS, ImportUsers, RowOutcome
from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.credentials.totp.time_codes import code_at

pytestmark = pytest.mark.servers

SAMPLES = {
    "$2b$12$" + "a" * 53: "bcrypt, cost=12",
    "$argon2id$v=19$m=65536,t=3,p=4$" + "a" * 22 + "$" + "b" * 43: "argon2, m=65536, t=3, p=4",
    "$scrypt$ln=14,r=8,p=1$" + "a" * 22 + "$" + "b" * 43: "scrypt, p=1, ln=14, r=8",
    "$firebase-scrypt$ln=14,r=8$" + "a" * 16 + "$" + "b" * 86: "firebase-scrypt, ln=14, r=8",
    "$pbkdf2-sha256$29000$" + "a" * 22 + "$" + "b" * 43: "pbkdf2, rounds=29000",
    "$5$rounds=5000$salt$" + "a" * 43: "sha256-crypt, rounds=5000",
    "$6$salt$" + "a" * 86: "sha512-crypt",
    "$1$salt$" + "a" * 22: "md5-crypt",
    "$P$B" + "a" * 30: "phpass, cost=B",
}


def row(world: Any, name: str = "ada", **members: Any) -> dict[str, Any]:
    return {
        "username": f"{name}-{world.tag}",
        "profile": {"firstName": "Ada", "lastName": "Byron"},
        "email": {"email": world.mail(name), "isVerified": True},
        **members,
    }


async def import_rows(world: Any, *rows: Any, check: bool = False, org_id: str | None = None) -> list[RowOutcome]:
    texts = tuple(one if isinstance(one, str) else json.dumps(one) for one in rows)
    org = world.org_id if org_id is None else org_id
    return list((await world.call(IMPORT_USERS, ImportUsers(rows=texts, org_id=org, check=check))).rows)


def provider(world: Any) -> dict[str, Any]:
    return {
        "id": f"google-{world.tag}",
        "name": "google",
        "issuer": "https://op.example",
        "clientId": "c",
        "clientSecret": "s3cret",
    }


async def hashes_counted(world: Any) -> int:
    return sum((await world.service.find(HashCounts).list_kinds()).values())


async def traces_of(world: Any, user_id: str) -> dict[str, list[dict[str, Any]]]:
    places = {"users": "_id", "ids": "object", "passwords": "_id", "events": "object"}
    bodies = [json.loads(row["body"]) for row in await world.rows("outbox")]
    changes = [one for body in bodies for one in body.get("changes", [body]) if one.get("aggregate_id") == user_id]
    traces = {collection: await world.rows(collection, **{name: user_id}) for collection, name in places.items()}
    return {**traces, "outbox": changes}


def shape_of(traces: dict[str, list[dict[str, Any]]]) -> dict[str, list[Any]]:
    same = ("state", "orgId", "sequence", "actor", "action", "fields", "table", "subject", "kind", "at", "created")
    return {
        collection: [{name: value if name in same else type(value) for name, value in one.items()} for one in rows]
        for collection, rows in traces.items()
    }


def fields(outcome: RowOutcome) -> list[tuple[str, str]]:
    return sorted((problem.field, problem.id) for problem in outcome.problems)


async def test_import_uses_the_command_of_the_api(users_world: Any) -> None:
    """The user can sign in; the event has number 1, the operator as actor, and no secret (IN-09)."""
    await users_world.home()
    hash = bcrypt.hashpw(b"a whistle in the dark", bcrypt.gensalt(4)).decode()
    [done] = await import_rows(
        users_world, row(users_world, hashedPassword={"hash": hash}, metadata=[{"key": "a", "value": "Yg=="}])
    )
    [event] = await users_world.rows("events", object=done.user_id)
    found = await users_world.try_password(f"ada-{users_world.tag}", "a whistle in the dark")

    assert (done.status, done.org_id, done.problems) == ("created", users_world.org_id, ())
    assert (event["sequence"], event["actor"]) == (1, "system")
    assert hash not in str(event)
    assert found.user.user_id == done.user_id


@pytest.mark.parametrize("typed", ["meqhgzld ojsxiidp myqdemba mj4xizlt ====", "orsw-4idc-pf2g-k4zb"])
async def test_imported_totp_secret_works(users_world: Any, typed: str) -> None:
    """Its code is accepted once, and a code of another secret never; the secret is stored sealed, and in no
    event (IN-09).
    """
    await users_world.home()
    plain = "".join(filter(str.isalnum, typed)).upper()
    secret = b32decode(plain)
    [done] = await import_rows(users_world, row(users_world, totpSecret=typed))
    apps, now = users_world.service.find(TotpAuthenticators), users_world.clock.now()
    [stored] = await users_world.rows("totpSecrets", _id=done.user_id)
    [event] = await users_world.rows("events", object=done.user_id)
    wrong = await apps.is_right(done.user_id, code_at(b"another secret of 26 bytes", now))
    right = await apps.is_right(done.user_id, code_at(secret, now))
    again = await apps.is_right(done.user_id, code_at(secret, now))
    [same] = await import_rows(users_world, row(users_world, totpSecret=plain))

    assert (done.status, done.totp, same.status) == ("created", True, "exists")
    assert (wrong, right, again) == (False, True, False)
    assert "totpSecret" in event["fields"]
    assert not [text for text in (secret.decode(), plain[:8], typed[:8]) if text in f"{stored} {event}"]


@pytest.mark.parametrize("typed", ["", "!", "HEQGE6LUMVZSAII", "ABCDEFGH" * 13, "a1b8" * 8], ids=lambda one: one[:9])
async def test_invalid_totp_secret_is_refused(users_world: Any, typed: str) -> None:
    """A secret that is empty, not base32, shorter than 10 or longer than 64 bytes is an error at its path, and
    the row is not stored.
    """
    await users_world.home()
    wanted = row(users_world, totpSecret=typed)
    [refused] = await import_rows(users_world, wanted)

    assert fields(refused) == [("totpSecret", "USER-513" if typed else "USER-303")]
    assert await users_world.rows("users", userName=wanted["username"]) == []


@pytest.mark.parametrize("hash", SAMPLES)
async def test_dry_run_reports_without_storing(users_world: Any, hash: str) -> None:
    """The report has user name, organization, kind and cost of the hash, number of metadata entries, and
    verification; nothing is stored.
    """
    await users_world.home()
    wanted = row(users_world, hashedPassword={"hash": hash}, metadata=[{"key": "a", "value": "Yg=="}])
    [said] = await import_rows(users_world, wanted, check=True)

    assert said == RowOutcome(
        status="created",
        user_name=wanted["username"],
        org_id=users_world.org_id,
        signs_in_by=SAMPLES[hash],
        metadata=1,
        email_verified=True,
        hash_seconds=said.hash_seconds,  # what a hash takes here is the machine's
    )
    assert await users_world.rows("users", userName=wanted["username"]) == []


@pytest.mark.parametrize("check", [True, False])
async def test_all_errors_of_a_row_are_reported(users_world: Any, check: bool) -> None:
    """Each error has its field, also in a dry run; other rows are unaffected."""
    await users_world.home()
    bad = row(
        users_world,
        "bad\u200b",
        email={"email": "nobody", "returnCode": {}},
        phone={"phone": "12", "sendCode": {}},
        hashedPassword={"hash": "$2b$31$" + "a" * 53},
        idpLinks=[{"idpId": "none", "userId": "a", "userName": "b"}],
        attributes={"website": "javascript:alert(1)"},
    )
    refused, done = await import_rows(users_world, bad, row(users_world), check=check)

    assert refused.status == "refused"
    assert fields(refused) == [
        ("attributes.website", "USER-008"),
        ("email.email", "USER-005"),
        ("email.returnCode", "USER-839"),
        ("hashedPassword.hash", "USER-321"),
        ("idpLinks[0].idpId", "USER-318"),
        ("phone.phone", "USER-006"),
        ("phone.sendCode", "USER-176"),
        ("username", "USER-003"),
    ]
    assert done.status == "created"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", [("", "USER-300")]),
        ('{"a": 1, "a": 2}', [("", "USER-301")]),
        ('{"frist": 1, "email": 7}', [("email", "USER-303"), ("frist", "USER-303")]),
        (r'{"username": "\ud800"}', [("username", "USER-303")]),
        ('{"username": ""}', [("email", "USER-303"), ("profile", "USER-303"), ("username", "USER-303")]),
    ],
)
async def test_malformed_rows_are_refused_like_in_the_api(users_world: Any, text: str, wrong: Any) -> None:
    """JSON is parsed as strictly as in the API, with the limits of the same .proto file."""
    await users_world.home()
    [refused] = await import_rows(users_world, text)

    assert fields(refused) == wrong


async def test_row_without_organization_needs_a_default(users_world: Any) -> None:
    """Without a default it is USER-838; the organization in the row takes precedence and must exist."""
    await users_world.home()
    named = row(users_world, organisation={"orgId": users_world.org_id})
    [nowhere] = await import_rows(users_world, row(users_world), org_id="")
    [unknown] = await import_rows(users_world, row(users_world, organisation={"orgId": "none"}))
    [done] = await import_rows(users_world, named, org_id="")

    assert fields(nowhere) == [("organisation", "USER-838")]
    assert fields(unknown) == [("organisation", "USER-314")]
    assert done.org_id == users_world.org_id


async def test_second_run_creates_no_user(users_world: Any) -> None:
    """Users with the same data exist, whatever their verification state, and no event is written."""
    await users_world.home()
    hash = bcrypt.hashpw(b"a whistle in the dark", bcrypt.gensalt(4)).decode()
    wanted = [
        row(users_world, hashedPassword={"hash": hash}),
        row(users_world, "bob", userId=f"bob-{users_world.tag}", nickName=None),
    ]
    wanted[1].pop("nickName")
    first = await import_rows(users_world, *wanted)
    events = await users_world.rows("events", orgId=users_world.org_id)
    second = await import_rows(users_world, *[one | {"email": {"email": one["email"]["email"]}} for one in wanted])

    assert [(one.status, one.user_id) for one in second] == [("exists", one.user_id) for one in first]
    assert await users_world.rows("events", orgId=users_world.org_id) == events


async def test_use_of_an_account_is_not_different_data(users_world: Any) -> None:
    """A user who set the same address again, allowed an application and has another password is the same user."""
    await users_world.home()
    [made] = await import_rows(users_world, row(users_world))
    waits = {"emailVerified": False, "provenEmail": users_world.mail("ada"), "recoveryFrom": 2_000_000_000.0}
    allowed = {"clientId": "shop", "scopes": ["openid"], "at": 1.0}
    used = {"trustEpoch": 1, "resets": 1, "consents": [allowed], "provenRecoveryFrom": 2_000_000_000.0}
    await users_world.parts.mongo.database["users"].update_one({"_id": made.user_id}, {"$set": waits | used})
    [again] = await import_rows(users_world, row(users_world))

    assert (again.status, again.user_id) == ("exists", made.user_id)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"profile": {"firstName": "Eve", "lastName": "Byron"}}, "firstName, displayName"),
        ({"userId": "another"}, "userId"),
        ({"metadata": [{"key": "a", "value": "Yg=="}]}, "metadata"),
    ],
)
async def test_different_data_is_an_error(users_world: Any, change: Any, names: str) -> None:
    """USER-840 names the differing fields, also in a dry run, and the user is unchanged."""
    await users_world.home()
    [first] = await import_rows(users_world, row(users_world))
    other = row(users_world) | change
    for check in (True, False):
        [refused] = await import_rows(users_world, other, check=check)

        assert [problem.id for problem in refused.problems] == ["USER-840"]
        assert f"({names})" in refused.problems[0].text
    assert len(await users_world.rows("events", object=first.user_id)) == 1


async def test_concurrent_runs_create_each_user_once(users_world: Any, other_replica: Any) -> None:
    """Of two concurrent runs with the same rows one creates each user and the other finds it (MG-08)."""
    await users_world.home()
    rows = [row(users_world, f"u{number}") for number in range(25)]
    both = await asyncio.gather(
        import_rows(users_world, *rows), import_rows(other_replica, *rows, org_id=users_world.org_id)
    )

    for one, other in zip(*both, strict=True):
        assert sorted((one.status, other.status)) == ["created", "exists"]
        assert one.user_id == other.user_id


async def test_failed_rows_do_not_affect_others(users_world: Any) -> None:
    """Of rows written in one batch, each that fails has its own outcome: taken ids, names and links."""
    await users_world.home()
    link = {"idpId": f"google-{users_world.tag}", "userId": "g-1", "userName": "ada"}
    await users_world.apply(
        users_world.organization(id=users_world.org_id, projects=[], humans=[], oidcIdps=[provider(users_world)])
    )
    good = [row(users_world, f"u{number}") for number in range(40)]
    twice = row(users_world, "u7", profile={"firstName": "Eve", "lastName": "Byron"})
    taken_id = row(users_world, "taken", userId=users_world.org_id)
    linked = [row(users_world, f"linked{number}", idpLinks=[link]) for number in range(2)]
    done = await import_rows(users_world, *good[:20], taken_id, *linked, *good[20:], twice)
    others = [done[20], *done[21:23], done[-1]]

    assert [one.status for one in (*done[:20], *done[23:-1])] == ["created"] * 40
    assert fields(others[0]) == [("", "USER-010")]
    assert sorted(fields(one) for one in others[1:3]) == [[], [("", "USER-610")]]
    assert fields(others[3]) == [("", "USER-840")]
    stored = await users_world.rows("users", orgId=users_world.org_id)
    assert sorted(one["userName"] for one in stored) == sorted(
        [*(one["username"] for one in good), next(one.user_name for one in others[1:3] if one.user_id)]
    )


async def test_batched_rows_equal_single_rows(users_world: Any) -> None:
    """Each of many rows has its id, event, published change and password count: the same as a single row."""
    await users_world.home()
    before = await hashes_counted(users_world)
    hash = "$2b$12$" + "a" * 53
    rows = [row(users_world, f"u{number}", hashedPassword={"hash": hash}) for number in range(30)]
    [alone] = await import_rows(users_world, rows[0])
    together = await import_rows(users_world, *rows[1:])
    traces = [await traces_of(users_world, one.user_id) for one in (alone, *together)]

    assert [len(rows) for rows in traces[0].values()] == [1, 1, 1, 1, 1]
    assert [shape_of(one) for one in traces[1:]] == [shape_of(traces[0])] * 29
    assert await hashes_counted(users_world) == before + 30


async def test_verified_address_blocks_equal_user_name(users_world: Any) -> None:
    """In a batch, a verified address in the organization's own domain cannot be another row's user name, in any
    order.
    """
    await users_world.home(primaryDomain=f"{users_world.tag}.example")
    mail = {"email": f"eve@{users_world.tag}.example", "isVerified": True}
    rows = [row(users_world, f"u{number}") for number in range(10)]
    done = await import_rows(
        users_world, *rows, row(users_world, "owner", email=mail), row(users_world) | {"username": "eve"}
    )

    assert [one.status for one in done[:10]] == ["created"] * 10
    assert sorted(one.status for one in done[10:]) == ["created", "refused"]
    assert [fields(one) for one in done[10:] if one.status == "refused"] == [[("", "USER-011")]]


@pytest.mark.parametrize(("email", "mails"), [({}, 0), ({"sendCode": {}}, 1)])
async def test_import_sends_no_email_by_default(users_world: Any, email: Any, mails: int) -> None:
    await users_world.home()
    address = users_world.mail("ada")
    [done] = await import_rows(users_world, row(users_world, email={"email": address, **email}))

    assert (done.status, done.email_verified) == ("created", False)
    assert len(await users_world.mails_to(address)) == mails


async def test_plain_password_must_satisfy_the_policy(users_world: Any) -> None:
    """The policy also applies in a dry run, which hashes nothing."""
    await users_world.home(passwordPolicy={"minLength": 20})
    short = row(users_world, password={"password": "only sixteen is."})
    [checked] = await import_rows(users_world, short, check=True)
    [refused] = await import_rows(users_world, short)

    assert fields(checked) == fields(refused) == [("password.password", "USER-030")]
    assert "sixteen" not in repr(refused.problems)
