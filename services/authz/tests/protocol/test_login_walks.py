"""Random walks through the login pages: no code is issued without every required step (LG-08).

Two browsers, several requests, any submission to any step, stale and foreign forms, early resumes and passing
time. The required steps are derived from the requests users received.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.login import Step
from portico_contracts.login_external import ExternalReturned
from portico_contracts.login_steps.register import Registration
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode, encode
from portico_contracts.users import Factor, ProviderRedirect, User
from portico_fakes.authz_external import ACME
from portico_fakes.authz_service import ADA, BOB, CALLBACK, PASSWORD, RIGHT_CODE, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_bus import MemoryBus

pytestmark = pytest.mark.slow

Result = TypeVar("Result")

NEW_PASSWORD = "another horse battery"


@dataclass
class OpenLogin:
    """A request that is at the login pages."""

    id: str
    browser: int
    began: float
    prompt: str
    max_age: int | None
    answered: int = 0


class LoginWalk(RuleBasedStateMachine):
    requests = Bundle("requests")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.clock, bus = FrozenClock(), MemoryBus()
        self.authz = AuthzService(self.clock, bus)
        self.browsers: list[FakeBrowser] = [self.authz.browser() for _ in range(2)]
        self.shown: dict[str, list[Step]] = {}
        self.authentications: list[dict[str, list[float]]] = [{}, {}]
        self.seen = 0
        self.linked = 0
        self.mail = False
        self.grants: list[CodeGrant] = []

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.runner.run(work)

    def teardown(self) -> None:
        """Waits for pending tasks."""
        self.run(self.authz.publisher.settle())
        self.runner.close()

    @initialize(
        must_change=st.booleans(),
        mail=st.booleans(),
        verified=st.booleans(),
        register=st.booleans(),
        codes=st.booleans(),
    )
    def set_up(self, must_change: bool, mail: bool, verified: bool, register: bool, codes: bool) -> None:
        """Sets policies and users; from here on requirements are only fulfilled, never added."""
        self.mail = mail
        peers = self.authz.peers
        peers.people[ADA.user_id] = replace(ADA, password_change_required=must_change, email_verified=verified)
        for org_id in ("org-1", "org-2"):
            peers.set_policy(
                org_id, may_register=register, verified_mail=mail, providers=(ACME,), email_code_sign_in=codes
            )
        peers.email_codes.always = RIGHT_CODE

    @rule()
    def get_a_factor(self) -> None:
        """Registers an authenticator app for Ada; authz knows within a second."""
        factors = self.authz.peers.factors
        factors.reusable, factors.codes[ADA.user_id] = True, {RIGHT_CODE}
        factors.give(ADA.user_id, Factor.TOTP)
        self.clock.tick(2)

    @rule(
        target=requests,
        browser=st.integers(0, 1),
        prompt=st.sampled_from(
            ["", "", "login", "select_account", "create", "login select_account", "consent", "none"]
        ),
        max_age=st.sampled_from([None, None, 0, 60]),
    )
    def begin(self, browser: int, prompt: str, max_age: int | None) -> Any:
        """Starts an authorization request, which a session may answer at once."""
        self.clock.tick(1)
        asked = OpenLogin("", browser, self.clock.now(), prompt, max_age)
        parameters = {"prompt": prompt or None, "max_age": None if max_age is None else str(max_age)}
        response = self.run(self.browsers[browser].authorize(**parameters))
        location = response.headers["location"]
        if not location.startswith(http.LOGIN):
            self.check_answer(asked, Landing(response))
            return multiple()
        asked.id = location.partition("=")[2]
        return asked

    @rule(
        asked=requests,
        name=st.sampled_from(["ada", "bob"]),
        account=st.integers(0, 2),
        steps=st.integers(1, 6),
        lost=st.integers(0, 12),
    )
    def continue_login(self, asked: OpenLogin, name: str, account: int, steps: int, lost: int) -> None:
        """Answers the pages for some steps; one of the responses may be lost."""
        for number in range(steps):
            shown = self.ask(asked, asked.browser)
            if shown is None:
                return
            if shown.name is StepName.DONE:
                self.resume(asked, elsewhere=False)
                return
            extra = "email_code" if shown.may_use_email_code and account else ""
            self.send(asked, asked.browser, shown, shown.name, name, account, extra=extra, lost=number == lost)

    @rule(asked=requests, elsewhere=st.booleans(), proves=st.booleans(), user=st.sampled_from([ADA, BOB]))
    def sign_in_through_a_provider(self, asked: OpenLogin, elsewhere: bool, proves: bool, user: User) -> None:
        """Signs in with a linked account, or one to prove; the callback may be stolen."""
        shown = self.ask(asked, asked.browser)
        if shown is None or not shown.providers:
            return
        left = self.run(self.browsers[asked.browser].answer_raw(asked.id, shown, provider=ACME.id))
        if left.status_code != 200 or not read_step(left.content).leave_to:
            return
        providers = self.authz.peers.providers
        providers.find(
            ProviderRedirect.PROVE if proves else ProviderRedirect.SIGNED_IN, self.authz.peers.people[user.user_id]
        )
        parameters = {"state": providers.begun[-1].state, "code": "right"}
        browser = 1 - asked.browser if elsewhere else asked.browser
        back = self.run(self.browsers[browser].come_back_raw(provider_id=ACME.id, parameters=parameters))
        if elsewhere:
            assert back.status_code in (403, 404)
        else:
            step = decode(back.content, ExternalReturned).step if back.status_code == 200 else None
            self.record(asked, browser, back.status_code, encode(step) if step else b"")

    @invariant()
    def only_proven_accounts_are_linked(self) -> None:
        """An account is linked only after its password and, if registered, its second factor (decision 0047)."""
        for link in self.authz.peers.providers.linked[self.linked :]:
            assert link.user_id in self.authz.peers.proved
            has_factor = bool(self.authz.peers.people[link.user_id].factors)
            assert has_factor <= (f"{link.user_id} again" in self.authz.peers.proved)
        self.linked = len(self.authz.peers.providers.linked)

    @rule(asked=requests)
    def look_from_elsewhere(self, asked: OpenLogin) -> None:
        """Loads the page in the wrong browser, which gets nothing but its own restart."""
        step = self.ask(asked, 1 - asked.browser)
        assert step is None or (step.csrf, step.continue_to) == ("", f"{http.AUTHORIZE_RESUME}?request={asked.id}")

    @rule(
        asked=requests,
        elsewhere=st.booleans(),
        form=st.integers(1, 6),
        step=st.none() | st.sampled_from(StepName),
        name=st.sampled_from(["ada", "bob", "nobody"]),
        wrong=st.booleans(),
        account=st.integers(0, 2),
        extra=st.sampled_from(["", "restart", "register", "resend", "cancel", "passkey", "email_code"]),
    )
    def answer_anything(
        self,
        asked: OpenLogin,
        elsewhere: bool,
        form: int,
        step: StepName | None,
        name: str,
        wrong: bool,
        account: int,
        extra: str,
    ) -> None:
        """Sends any submission to any step, with any form ever shown for the request."""
        forms = self.shown.get(asked.id, [])
        if forms:
            shown = forms[-min(form, len(forms))]
            browser = 1 - asked.browser if elsewhere else asked.browser
            self.send(asked, browser, shown, step or shown.name, name, account, wrong=wrong, extra=extra)

    @rule(asked=requests, elsewhere=st.sampled_from([False, False, False, True]))
    def jump_to_the_end(self, asked: OpenLogin, elsewhere: bool) -> None:
        """Calls the resume URL at any time, from any browser."""
        self.resume(asked, elsewhere=elsewhere)

    @rule(seconds=st.sampled_from([1, 59, 61, 600]))
    def wait(self, seconds: int) -> None:
        self.clock.tick(seconds)

    @rule(browser=st.integers(0, 1), really=st.sampled_from([False, False, True]))
    def sign_out(self, browser: int, really: bool) -> None:
        response = self.run(self.browsers[browser].end_session())
        id = response.headers["location"].partition("?request=")[2]
        if id and really:
            logout = self.run(self.browsers[browser].get_logout(id))
            assert self.run(self.browsers[browser].confirm_logout(id, logout.csrf)).status_code == 200
            self.authentications[browser].clear()

    @invariant()
    def one_request_has_one_answer(self) -> None:
        """P1."""
        assert len({grant.grant_id for grant in self.grants}) == len(self.grants)

    def resume(self, asked: OpenLogin, *, elsewhere: bool) -> None:
        """Calls the resume URL and checks the response."""
        browser = 1 - asked.browser if elsewhere else asked.browser
        response = self.run(self.browsers[browser].get(f"{http.AUTHORIZE_RESUME}?request={asked.id}"))
        if response.headers.get("location", "").startswith(CALLBACK):
            assert not elsewhere
            asked.answered += 1
            self.check_answer(asked, Landing(response))

    @invariant()
    def nobody_registers_where_it_is_not_allowed(self) -> None:
        assert self.authz.peers.policies["org-1"].may_register or not self.authz.peers.registered

    def ask(self, asked: OpenLogin, browser: int) -> Any | None:
        """Loads the page; None if it does not exist."""
        response = self.run(self.browsers[browser].ask_raw(asked.id))
        return self.record(asked, browser, response.status_code, response.content)

    def send(
        self,
        asked: OpenLogin,
        browser: int,
        shown: Any,
        step: StepName,
        name: str,
        account: int,
        *,
        wrong: bool = False,
        extra: str = "",
        lost: bool = False,
    ) -> None:
        """Sends a form with every field that any step could need."""
        named = next((user for user in (ADA, BOB) if shown.login_name in (user.login_name, user.user_name)), ADA)
        password = self.authz.peers.passwords[named.user_id]
        response = self.run(
            self.browsers[browser].answer_raw(
                asked.id,
                shown,
                step=step,
                login_name=name,
                password="wrong" if wrong else password,
                new_password="short" if wrong else NEW_PASSWORD,
                code="nope" if wrong else RIGHT_CODE,
                account=shown.accounts[account].id if account < len(shown.accounts) else "",
                registration=Registration(email=f"{name}@mail.test", first_name="A", last_name="B", password=PASSWORD),
                **({extra: True} if extra else {}),
            )
        )
        self.record(asked, browser, response.status_code, response.content, lost=lost)

    def record(self, asked: OpenLogin, browser: int, status: int, content: bytes, *, lost: bool = False) -> Any | None:
        """Records the shown step, and the user who authenticated in each browser."""
        for user_id in self.authz.peers.proved[self.seen :]:
            assert browser == asked.browser
            self.authentications[browser].setdefault(user_id, []).append(self.clock.now())
        self.seen = len(self.authz.peers.proved)
        if status != 200:
            assert status in (400, 403, 404), content
            return None
        step = read_step(content)
        if lost:
            return None
        if step.set_cookie:
            self.browsers[browser].handle = step.set_cookie.partition(";")[0].partition("=")[2]
        if step.csrf:
            self.shown.setdefault(asked.id, []).append(step)
        return step

    def check_answer(self, asked: OpenLogin, landing: Landing) -> None:
        """Checks that every issued code follows all required steps, in this browser, recently enough."""
        assert asked.answered <= 1
        code = landing.query.get("code")
        if code is None:
            assert landing.query["error"] in ("access_denied", "login_required", "interaction_required")
            return
        question = RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK)
        grant = self.run(self.authz.bus.call(REDEEM_CODE, question)).grant
        assert grant is not None
        self.grants.append(grant)
        user = self.authz.peers.people[grant.user_id]
        # An authentication that is replayed for a lost response is older in the session.
        authenticated_at = max(
            at for at in self.authentications[asked.browser][grant.user_id] if int(at) <= grant.auth_time
        )
        assert not user.password_change_required
        assert bool(user.factors) <= ("mfa" in grant.amr)
        # A passkey counts as both factors.
        assert ("mfa" in grant.amr) <= bool(self.authentications[asked.browser].get(f"{grant.user_id} again"))
        assert user.email_verified or not self.authz.peers.policies[user.org_id].verified_mail
        # A session starts with the last authentication, which is an emailed code where one is required.
        if "login" in asked.prompt or asked.prompt == "create":
            assert (grant.auth_time if self.mail else authenticated_at) >= int(asked.began)
        if asked.max_age is not None:
            assert grant.auth_time >= asked.began - asked.max_age


LoginWalk.TestCase.settings = settings(max_examples=60, stateful_step_count=30, suppress_health_check=list(HealthCheck))
TestLoginWalk = LoginWalk.TestCase
