from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ISSUER, SUBJECT, ConsoleService, refusal
from portico_harness.html_forms import Document

SERVICE = "portico.user.v2.UserService"
USER: dict[str, Any] = {
    "userId": SUBJECT,
    "username": "ada",
    "human": {"profile": {"firstName": "Ada"}, "email": {"email": "ada@mail.example", "isVerified": True}, "phone": {}},
}


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers[f"{SERVICE}/GetUserByID"] = lambda *_: httpx.Response(200, json={"user": USER})
    await console.sign_in(browser, "/ui/account")
    return browser


async def sent(
    console: ConsoleService, browser: httpx.AsyncClient, path: str, method: str, **typed: str
) -> dict[str, Any]:
    """Submits a form and returns the request to the management API."""
    page = await browser.get("/ui/account/profile")
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    await browser.post(f"/ui/account{path}", data={"csrf": csrf, **typed}, headers={"origin": ISSUER})
    return next(fields for called, fields in reversed(console.provider.calls) if called == f"{SERVICE}/{method}")


async def test_whitespace_around_input_is_not_sent(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Visible and invisible whitespace around names, addresses, numbers and codes is removed."""
    names = await sent(
        console, signed_in, "/profile", "UpdateHumanUser", first_name=" Ada\u00a0", last_name="\u200bLovelace\ufeff"
    )
    email = await sent(console, signed_in, "/profile/email", "SetEmail", email="\ufeffada@new.example ")
    phone = await sent(console, signed_in, "/profile/phone", "SetPhone", phone=" +41791234567\u200b")
    code = await sent(console, signed_in, "/profile/email/verify", "VerifyEmail", code=" abc-def ")
    app = await sent(console, signed_in, "/security/app/new", "VerifyTOTPRegistration", code="\u0661\u0662\u0663-456")

    assert [names["profile"][name] for name in ("firstName", "lastName")] == ["Ada", "Lovelace"]
    assert (email["email"], phone["phone"]) == ("ada@new.example", "+41791234567")
    assert (code["verificationCode"], app["code"]) == ("ABCDEF", "123456")


async def test_last_name_may_be_removed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The page sends it empty and does not require it (decision 0115)."""
    names = await sent(console, signed_in, "/profile", "UpdateHumanUser", first_name="Ada", last_name="")
    page = (await signed_in.get("/ui/account/profile")).text

    assert names["profile"]["lastName"] == ""
    assert " required" not in page.partition('id="last_name"')[2].partition(">")[0]
    assert " required" in page.partition('id="first_name"')[2].partition(">")[0]


async def test_language_with_a_region_is_kept_and_used(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """A language that no page has stays selected, and the pages are in the nearest one."""
    profile = {"firstName": "Ada", "preferredLanguage": "de-CH"}
    user = {**USER, "human": {**USER["human"], "profile": profile}}
    console.provider.answers[f"{SERVICE}/GetUserByID"] = lambda *_: httpx.Response(200, json={"user": user})
    console.provider.claims = {"locale": "de-CH"}
    await console.sign_in(browser, "/ui/account")
    page = (await browser.get("/ui/account/profile", headers={"accept-language": "en"})).text

    assert '<option value="de-CH" lang="de-CH" selected>' in page
    assert '<html lang="de"' in page


async def test_secret_of_an_app_stays_on_its_page(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """After a wrong code the page shows the secret again, and other errors are shown without it."""
    begun = {"uri": "otpauth://totp/Portico:ada?secret=ABCDEFGH", "secret": "ABCDEFGH"}
    path = "/ui/account/security/app/new"
    console.provider.answers |= {
        f"{SERVICE}/RegisterTOTP": lambda *_: httpx.Response(200, json=begun),
        f"{SERVICE}/VerifyTOTPRegistration": refusal("invalid_argument", 400, "USER-512", "The code is wrong."),
    }
    first = await signed_in.get(path)
    csrf = {"csrf": first.text.split('name="csrf" value="')[1].split('"')[0], "code": "000000"}
    wrong = await signed_in.post(path, data=csrf, headers={"origin": ISSUER})
    console.provider.answers[f"{SERVICE}/RegisterTOTP"] = refusal("already_exists", 409, "USER-510", "There is one.")
    twice = await signed_in.post(path, data=csrf, headers={"origin": ISSUER})

    assert ["ABCD EFGH" in page.text for page in (first, wrong, twice)] == [True, True, False]
    assert ["The code is wrong" in page.text for page in (first, wrong, twice)] == [False, True, True]


async def test_security_page_lists_every_credential(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Each credential and linked account has a button that removes it."""
    ready = {"state": "AUTH_FACTOR_STATE_READY"}
    found = {
        "ListPasskeys": [{"id": "p1", "name": "Phone", **ready}],
        "ListAuthenticationFactors": [
            {kind: {"id": "k1", "name": "Key"}, **ready} for kind in ("u2f", "otp", "otpEmail")
        ],
        "ListIDPLinks": [{"idpId": "i1", "idpName": "<Corp>", "userId": "4711", "userName": "ada@corp"}],
    }
    for method, result in found.items():
        console.provider.answers[f"{SERVICE}/{method}"] = lambda *_, one=result: httpx.Response(
            200, json={"result": one}
        )
    page = Document((await signed_in.get("/ui/account/security")).text)
    removed = {
        form.action.removeprefix("/ui/account"): {field.value for field in form.fields if field.name != "csrf"}
        for form in page.forms
        if form.action.endswith(("/remove", "/links"))
    }
    await sent(console, signed_in, "/links", "RemoveIDPLink", provider="i1", user="4711")

    assert removed == {
        "/security/passkeys/remove": {"p1", "Phone", ""},
        "/security/keys/remove": {"k1", "Key", ""},
        "/security/app/remove": {""},
        "/security/email-codes/remove": {""},
        "/links": {"i1", "4711", "<Corp>", ""},
    }


async def test_notice_names_what_was_removed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The page after a form shows once what was done, with the name."""
    csrf = (await signed_in.get("/ui/account/profile")).text.split('name="csrf" value="')[1].split('"')[0]
    fields = {"csrf": csrf, "id": "p1", "name": "My <phone>"}
    removed = await signed_in.post("/ui/account/security/passkeys/remove", data=fields, headers={"origin": ISSUER})
    page = await signed_in.get(removed.headers["location"])
    second = await signed_in.get(removed.headers["location"])

    assert "My &lt;phone&gt; was removed." in page.text
    assert "was removed." not in second.text


async def test_sessions_are_named_by_browser_and_method(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Methods and country are in words, and only other sessions can be ended."""
    times = dict.fromkeys(("authTime", "lastUsed"), "2026-11-01T10:00:00Z")
    sessions = [
        {"id": "s1", "device": "Firefox, Linux", "amr": ["pwd", "otp", "mfa"], "country": "NL", **times},
        {"id": "s2", "device": "", **times, "amr": ["hwk", "user", "mfa"]},
    ]
    method = "portico.management.v1.SessionService/ListUserSessions"
    console.provider.answers[method] = lambda *_: httpx.Response(200, json={"result": sessions})
    text = (await signed_in.get("/ui/account/sessions")).text
    rows = text.partition('id="sessions"')[2].partition("</ul>")[0].split("<li")[1:]

    assert ["This browser" in row for row in rows] == [True, False]
    assert ["End session" in row for row in rows] == [False, True]
    assert "<bdi>Netherlands</bdi> · Password, One-time code · last used" in rows[0]
    assert ">Passkey · last used" in rows[1]
    assert "unknown device" in rows[1]


async def test_trusted_browsers_are_listed_and_ended(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The section is only there with one; ending all other sessions ends the trust in all browsers."""
    service = "portico.management.v1.SessionService"
    times = {"since": "2026-11-01T10:00:00Z", "until": "2026-12-01T10:00:00Z"}
    assert 'id="trusted-devices"' not in (await signed_in.get("/ui/account/sessions")).text
    device = {"id": "d1", "device": "Firefox, Linux", "country": "NL", **times}
    console.provider.answers |= {
        f"{service}/ListUserTrustedDevices": lambda *_: httpx.Response(200, json={"result": [device]}),
        f"{service}/RemoveUserTrustedDevice": lambda *_: httpx.Response(200, json={}),
    }
    page = (await signed_in.get("/ui/account/sessions")).text
    assert "<bdi>Netherlands</bdi> · trusted" in page
    form = {"csrf": page.split('name="csrf" value="')[1].split('"')[0]}
    for path, typed in (("trusted", {"id": "d1"}), ("others", {})):
        sent = await signed_in.post(f"/ui/account/sessions/{path}", data=form | typed, headers={"Origin": ISSUER})
        assert sent.status_code == 303

    removed = [fields for name, fields in console.provider.calls if name == f"{service}/RemoveUserTrustedDevice"]
    assert [fields["deviceId"] for fields in removed] == ["d1", "d1"]


async def test_download_has_the_groups_of_the_user(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Each group is there with how the user belongs to it."""
    groups = [{"groupId": "g1", "name": "Staff", "membership": {"added": True, "idpIds": [], "viaGroupIds": []}}]
    console.provider.answers["portico.management.v1.GroupService/ListUserGroups"] = lambda *_: httpx.Response(
        200, json={"result": groups}
    )
    [found] = (await signed_in.get("/ui/account/data/download")).json()["groups"]

    assert (found["name"], found["membership"]["added"]) == ("Staff", True)


async def test_download_has_what_a_directory_sent(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Also what the profile has no field for, such as postal addresses."""
    sent = {"externalId": "e1", "attributes": {"addresses": [{"type": "home", "locality": "Zug"}]}}
    console.provider.answers["portico.management.v1.ScimService/ListUserProvisioning"] = lambda *_: httpx.Response(
        200, json={"result": [sent]}
    )
    [found] = (await signed_in.get("/ui/account/data/download")).json()["provisioning"]

    assert found == sent


async def test_overview_says_what_protects_the_account(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """An address is the login name without a domain after it; without recovery codes they are the next step."""
    user = USER | {"username": "ada@mail.example", "preferredLoginName": "ada@mail.example@demo.localhost"}
    kinds = [f"AUTHENTICATION_METHOD_TYPE_{kind}" for kind in ("PASSWORD", "TOTP", "PASSKEY")]
    console.provider.answers |= {
        f"{SERVICE}/GetUserByID": lambda *_: httpx.Response(200, json={"user": user}),
        f"{SERVICE}/ListAuthenticationMethodTypes": lambda *_: httpx.Response(200, json={"authMethodTypes": kinds}),
    }
    page = (await signed_in.get("/ui/account")).text

    assert "<span>Passkey, Authenticator app</span>" in page
    assert "<bdi>ada@mail.example</bdi>" in page
    assert "@demo.localhost" not in page
    assert 'id="no-recovery-codes"' in page


async def test_applications_with_access_are_rows(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Access without a session is in words, and the account page itself has no button."""
    times = dict.fromkeys(("since", "lastGranted"), "2026-11-01T10:00:00Z")
    apps = [
        {"clientId": "portico-account", "name": "Account", **times},
        {"clientId": "c1", "name": "Mail", "offline": True, **times},
    ]
    method = "portico.management.v1.AppAccessService/ListUserAppAccess"
    console.provider.answers[method] = lambda *_: httpx.Response(200, json={"result": apps})
    text = (await signed_in.get("/ui/account/access")).text
    rows = text.partition('id="access"')[2].partition("</ul>")[0].split("<li")[1:]

    assert ["Revoke access" in row for row in rows] == [False, True]
    assert ["also while you are signed out" in row for row in rows] == [False, True]


async def test_new_password_is_described_by_the_rules(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The form lists the rules of the organization as the sign-in page does, and works without them."""
    asked = "portico.management.v1.CallerService/GetMyPasswordRules"
    console.provider.answers[asked] = lambda *_: httpx.Response(200, json={"minLength": 11, "hasNumber": True})
    with_rules = (await signed_in.get("/ui/account/security")).text
    console.provider.answers[asked] = refusal("unimplemented", 501, "USER-850", "Unknown method.")
    without = (await signed_in.get("/ui/account/security")).text

    assert "<li>at least 11 characters</li>\n<li>a digit</li>" in re.sub(r"\n+", "\n", with_rules)
    assert 'aria-describedby="password-rules"' in with_rules
    assert 'id="new_password"' in without
    assert "password-rules" not in without


async def test_agents_are_shown_in_words_and_stopped(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Agents are in their own list, each with one button, and one more for a host with several (decision 0154)."""
    host, of = "agents.example", "portico.management.v1"
    since = {"since": "2026-11-01T10:00:00Z", "rule": "AGENT_RULE_CONSENT", "host": host}
    agents: list[dict[str, Any]] = [
        {
            "clientId": f"https://{host}/a.json",
            "name": "Coder",
            "scopes": ["openid"],
            "apiScopes": [{"scope": "notes.read", "apiClientId": "n", "apiName": "Notes"}],
            "uses": [{"apiName": "Files", "viaName": "Notes", "lastUsed": "2026-11-02T10:00:00Z"}],
            "lastUsed": "2026-11-02T10:00:00Z",
            **since,
        },
        {"clientId": f"https://{host}/b.json", "name": "Writer", **since, "rule": "AGENT_RULE_ADMINISTRATOR", "actorName": "Bob"},
    ]  # fmt: skip
    apps = [{"clientId": agents[0]["clientId"], "name": "Coder"}, {"clientId": "c1", "name": "Mail"}]
    answers = console.provider.answers
    answers[f"{of}.AppAccessService/ListUserAppAccess"] = lambda *_: httpx.Response(200, json={"result": apps})
    answers[f"{of}.AgentService/ListUserAgents"] = lambda *_: httpx.Response(200, json={"result": agents})
    answers[f"{of}.AgentService/EndUserAgents"] = lambda *_: httpx.Response(200, json={"ended": "1"})
    text = (await signed_in.get("/ui/account/access")).text
    others = text.partition('id="access"')[2].partition("</ul>")[0]
    rows = text.partition('id="agents"')[2].partition("</ul>")[0].split("<li")[1:]
    csrf = re.findall(r'name="csrf" value="([^"]+)"', text)[0]
    one = await signed_in.post("/ui/account/access/agents", data={"csrf": csrf, "id": "a", "name": "Coder"})
    every = await signed_in.post("/ui/account/access/agents", data={"csrf": csrf, "host": host})
    sent = [call for call in console.provider.calls if call[0].endswith("EndUserAgents")]

    assert ("Coder" in others, "Mail" in others) == (False, True)
    assert "you allowed: openid, notes.read (Notes)" in rows[0]
    assert "used at Files" in rows[0]
    assert "passed on by Notes" in rows[0]
    assert "used by the administrator Bob to act for you" in rows[1]
    assert text.count(f"Stop all agents of {host}") == 1
    assert (one.status_code, every.status_code) == (303, 303)
    assert [sorted(body) for _, body in sent] == [["clientId", "userId"], ["host", "userId"]]
