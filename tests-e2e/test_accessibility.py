"""Checks every page with axe-core: in every language, in light and dark.

The pages are listed here explicitly; an unlisted page is not checked.
"""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from msgspec.structs import replace
from playwright.async_api import Page
from portico_contracts.login import Account, PageBranding, Problem
from portico_contracts.login_logout import Logout
from portico_contracts.login_steps.consent import AskingDevice, RequestedScope
from portico_contracts.step_names import StepName
from portico_contracts.users import Branding, Palette, PasswordRules
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import step_of
from portico_fakes.memory_bus import MemoryBus
from portico_scenarios.accessibility import prepare, violations_in_both_schemes
from portico_scenarios.contact_sheet import take_pictures
from portico_scenarios.pages_without_stack import PAGES_ISSUER, PagesWithoutStack
from portico_scenarios.pressed_states import SCHEMES, weak_states

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("pages without a stack")]

LANGUAGES: Final = ("en", "de", "fr", "it", "es", "pt", "pl", "nl", "ja", "zh", "ar")
RULES: Final = PasswordRules(min_length=12, uppercase=True, lowercase=True, number=True, symbol=True)
ACCOUNTS: Final = (
    Account(id="a", login_name="ada@example.com", display_name="Ada Lovelace", signed_in=True),
    Account(id="b", login_name="bob@example.com"),
)
OTHERS: Final = (StepName.SECURITY_KEY, StepName.TOTP, StepName.OTP_EMAIL, StepName.OTP_SMS, StepName.RECOVERY_CODE)
ADA: Final[dict[str, Any]] = {"login_name": "ada@example.com", "client_name": "Demo"}
ENROLLED: Final = (StepName.ENROL_PASSKEY, StepName.ENROL_KEY, StepName.ENROL_TOTP)
SCOPES: Final = (
    RequestedScope("openid", allowed=True),
    RequestedScope("orders.read", "Orders", "Read your orders", "What you ordered, when, and where it was sent."),
)
URI: Final = "otpauth://totp/Portico:ada%40example.com?secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567&issuer=Portico"
STEPS: Final = {
    "login name": step_of(StepName.LOGIN_NAME, client_name="Demo", may_register=True, may_use_passkey=True),
    "login name, refused key": step_of(StepName.LOGIN_NAME, problem=Problem.WRONG_KEY, **ADA),
    "password": step_of(StepName.PASSWORD, may_reset=True, may_use_passkey=True, may_use_email_code=True, **ADA),
    "email code": step_of(StepName.EMAIL_CODE, problem=Problem.WRONG_CODE, others=(StepName.PASSWORD,), **ADA),
    "wrong password": step_of(StepName.PASSWORD, problem=Problem.WRONG_CREDENTIALS, **ADA),
    "slowed down": step_of(StepName.PASSWORD, problem=Problem.SLOW_DOWN, retry_after=600, **ADA),
    "accounts": step_of(StepName.SELECT_ACCOUNT, accounts=ACCOUNTS, client_name="Demo"),
    "registration": step_of(StepName.REGISTER, password_rules=RULES, client_name="Demo"),
    "refused registration": step_of(StepName.REGISTER, problem=Problem.INVALID_FIELD, detail="USER-005"),
    "verify mail": step_of(StepName.VERIFY_EMAIL, mail="ada@example.com", **ADA),
    "wrong mail code": step_of(StepName.VERIFY_EMAIL, mail="ada@example.com", problem=Problem.WRONG_CODE),
    "passkey": step_of(StepName.PASSKEY, options='{"publicKey": {}}', client_name="Demo"),
    "security key": step_of(StepName.SECURITY_KEY, options='{"publicKey": {}}', others=OTHERS, **ADA),
    "refused key": step_of(StepName.SECURITY_KEY, problem=Problem.WRONG_KEY, **ADA),
    "totp": step_of(StepName.TOTP, others=OTHERS, trust_days=30, **ADA),
    "texted code": step_of(StepName.OTP_SMS, mail="\u202667", delayed=True, others=OTHERS, **ADA),
    "mailed code": step_of(StepName.OTP_EMAIL, mail="a\u2026@example.com", others=OTHERS, **ADA),
    "recovery code": step_of(StepName.RECOVERY_CODE, others=OTHERS, problem=Problem.WRONG_CODE, **ADA),
    "factor missing": step_of(StepName.FACTOR_MISSING, **ADA),
    "enrolment, mailed code": step_of(StepName.ENROL_EMAIL, mail="a\u2026@example.com", **ADA),
    "enrolment, choice": step_of(StepName.ENROL, others=ENROLLED, **ADA),
    "enrolment, passkey": step_of(StepName.ENROL_PASSKEY, options='{"publicKey": {}}', **ADA),
    "enrolment, key": step_of(StepName.ENROL_KEY, options='{"publicKey": {}}', problem=Problem.WRONG_KEY, **ADA),
    "enrolment, app": step_of(StepName.ENROL_TOTP, uri=URI, secret="ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", **ADA),
    "enrolment, wrong code": step_of(StepName.ENROL_TOTP, problem=Problem.WRONG_CODE, **ADA),
    "recovery codes": step_of(StepName.RECOVERY_CODES, recovery_codes=("ABCD-EFGH-IJKL-MNOP",) * 10, **ADA),
    "change password": step_of(StepName.CHANGE_PASSWORD, password_rules=RULES, **ADA),
    "consent": step_of(StepName.CONSENT, scopes=SCOPES, org_name="Acme", return_uri="https://shop.example/cb", **ADA),
    "approval of a device": step_of(
        StepName.CONSENT,
        scopes=SCOPES,
        org_name="Acme",
        device=AskingDevice("BCDFGHJK", 1_790_000_000, "198.51.100.7", "CH"),
        **ADA,
    ),
    "refused password": step_of(StepName.CHANGE_PASSWORD, problem=Problem.INVALID_PASSWORD, detail="USER-030"),
}
ADDRESSES: Final = {
    "home": "/",
    "logout": f"/ui/login/logout?request={REQUEST}",
    "logged out": "/ui/login/logged-out",
    "code of a device": "/ui/login/device?user_code=BCDF-GHJK",
    "device approved": "/ui/login/device?answer=approved",
    "device denied": "/ui/login/device?answer=denied",
    "confirm mail": "/ui/login/mail/verification?userID=kim&code=K7Q2ZX",
    "mail confirmed": "/ui/login/mail/verification?done=1",
    "mail confirmed, no password": "/ui/login/mail/verification?done=new",
    "new password": "/ui/login/password/init?userID=kim&code=K7Q2ZX&orgID=acme",
    "invitation": "/ui/login/password/init?userID=kim&code=K7Q2ZX&orgID=acme&invitation=1",
    "invitation accepted": "/ui/login/password/init?done=invitation",
    "password set": "/ui/login/password/init?done=1",
    "password set at a sign-in": f"/ui/login/password/init?done=1&request={REQUEST}",
    "forgotten": f"/ui/login/password/forgot?request={REQUEST}",
    "code sent": f"/ui/login/password/forgot?request={REQUEST}&sent=c-1",
    "register passkey": "/ui/login/passkey/registration?userID=kim&codeID=c1&code=K7Q2ZX",
    "passkey registered": "/ui/login/passkey/registration?done=1",
    "error of login-ui": "/ui/login",
    "nothing there": "/ui/login/nothing",
    "error of authz": "/oauth/v2/authorize?client_id=web&redirect_uri=https://x.example&response_type=code",
}

EVERY_RUN: Final = frozenset({
    *("login name", "wrong password", "slowed down", "accounts", "refused registration", "registration", "email code"),
    *("security key", "totp", "factor missing", "enrolment, choice", "enrolment, app", "recovery codes"),
    *("change password", "consent", "approval of a device"),
    *("home", "logout", "code of a device", "invitation", "mail confirmed", "forgotten", "error of authz"),
})  # fmt: skip
"""Pages with different parts; the others belong to `make test-all`."""


@pytest.fixture
def pages(clock: FrozenClock, bus: MemoryBus) -> PagesWithoutStack:
    logout = Logout(csrf="c", client_name="Demo", accounts=ACCOUNTS)
    return PagesWithoutStack(AuthzService(clock, bus).app, FakeLoginApi(accounts=ACCOUNTS), logout=logout)


@pytest.mark.parametrize(
    ("language", "some"),
    [
        pytest.param("en", EVERY_RUN, id="en, some pages"),
        *(pytest.param(tag, frozenset(), id=tag, marks=pytest.mark.long) for tag in LANGUAGES),
    ],
)
async def test_pages_have_no_accessibility_violations(
    tab: Page, pages: PagesWithoutStack, language: str, some: frozenset[str]
) -> None:
    """axe-core finds no violation on the listed pages, including errors, in light and dark; without `some`, on all."""
    found, seen = {}, set()
    pages.language = language
    await prepare(tab)
    await pages.attach(tab)
    opened = {name: (f"/ui/login?request={REQUEST}", step) for name, step in STEPS.items()}
    opened |= {name: (address, pages.login.step) for name, address in ADDRESSES.items()}
    assert some <= opened.keys()
    for name, (address, step) in opened.items():
        if some and name not in some:
            continue
        pages.login.step = replace(step, csrf="c")
        await tab.goto(f"{PAGES_ISSUER}{address}")
        seen.add((await tab.locator("section").get_attribute("id"), await tab.locator("html").get_attribute("lang")))
        if problems := await violations_in_both_schemes(tab):
            found[name] = problems
        if language in ("en", "ar") and not some:
            await take_pictures(tab, f"login {language} {name}")

    assert json.dumps(found, indent=1) == "{}"
    assert {shown for _, shown in seen} == {language}
    assert len(seen) >= (20 if some else 30)


async def test_passkey_page_has_no_accessibility_violations(tab: Page, pages: PagesWithoutStack) -> None:
    """axe-core finds no violation on the passkey creation page, which follows another page and has no URL."""
    await pages.attach(tab)
    await tab.goto(f"{PAGES_ISSUER}{ADDRESSES['register passkey']}")
    await tab.locator("#register-passkey-submit").click()
    await tab.locator("#webauthn-start").wait_for()

    assert await violations_in_both_schemes(tab) == []


async def test_hovered_and_focused_elements_are_legible(tab: Page, pages: PagesWithoutStack) -> None:
    """Text and focus rings of links, buttons and fields have enough contrast, also in the colours of a red brand."""
    red = PageBranding(branding=Branding(light=Palette(primary="#b3261e")))
    found = {}
    await pages.attach(tab)
    for name in ("login name", "wrong password", "accounts", "enrolment, choice", "enrolment, app"):
        for brand, look in (("own", PageBranding()), ("red", red)):
            pages.login.step = replace(STEPS[name], csrf="c", look=look)
            await tab.goto(f"{PAGES_ISSUER}/ui/login?request={REQUEST}")
            await tab.locator("#languages summary").click()
            if problems := await weak_states(tab):
                found[f"{name} {brand}"] = problems

    assert json.dumps(found, indent=1) == "{}"


async def test_weak_states_are_found(tab: Page) -> None:
    """The measurement of the test above sees white on white, and a ring that is missing."""
    style = "a{color:#000}a:hover{color:#fff}a:focus-visible{outline:2px solid #000}button{outline:none}"
    await tab.set_content(
        f"<style>{style}</style><a href=x>Go</a> <button style='color:#000;background:#fff'>Press</button>"
    )

    assert set(await weak_states(tab)) == {
        f"{scheme} {one}"
        for scheme in SCHEMES
        for one in ('hover a# "Go": text 1.00', 'focus button# "Press": no ring')
    }
