from __future__ import annotations

from itertools import product
from typing import Final

import pytest
from portico_authz.authorize.decide import (
    CANCELLED,
    LOGIN_REQUIRED,
    OTHER_ACCOUNT,
    SEVERAL_ACCOUNTS,
    AuthenticationRequirements,
    Choice,
    Decision,
    Interact,
    Issue,
    Refuse,
    decide,
)
from portico_authz.domain.progress import Progress, Registering
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session
from portico_authz.steps import AuthenticatedUser
from portico_contracts.step_names import StepName

NOW = 1_000_000.0
ASK_NAME = Interact(StepName.LOGIN_NAME)
ASK_PASSWORD = Interact(StepName.PASSWORD)


def session(user: str = "ada", *, age: float = 600.0, idle_left: float = 3_600.0, left: float = 86_400.0) -> Session:
    return Session(
        sid=f"sid-{user}",
        user_id=user,
        org_id=f"org-of-{user}",
        login_name=f"{user}@example.test",
        browser_id="browser",
        auth_time=NOW - age,
        amr=("pwd",),
        acr="urn:portico:acr:pwd",
        ends_at=NOW + left,
        idle_until=NOW + idle_left,
    )


def requirements(*prompts: Prompt, requested_at: float = NOW, **more: object) -> AuthenticationRequirements:
    return AuthenticationRequirements(requested_at=requested_at, prompts=frozenset(prompts), **more)  # type: ignore[arg-type]


def session_kinds() -> dict[str, list[Session]]:
    return {
        "none": [],
        "fresh": [session(age=60)],
        "old": [session(age=7_200)],
        "idle": [session(age=60, idle_left=0)],
        "ended": [session(age=60, left=0)],
    }


OUTCOMES: Final = {
    None: "NIINN NNNNN NINNN",
    Prompt.NONE: "RIIRR RRRRR RIRRR",
    Prompt.LOGIN: "NNNNN NNNNN NNNNN",
    Prompt.CONSENT: "NIINN NNNNN NINNN",
    Prompt.SELECT_ACCOUNT: "NCCNN NccNN NCcNN",
    Prompt.CREATE: "NNNNN NNNNN NNNNN",
}
"""By prompt: without max_age, with 0 and with 3600, each for no session and a fresh, old, idle and ended one.

N requests the login name, I issues, R refuses, C lets the end user choose, c as well but demands the password.
"""


def outcome(letter: str, kind: str) -> Decision:
    """Returns the decision that a letter of `OUTCOMES` names."""
    match letter:
        case "I":
            return Issue(session_kinds()[kind][0])
        case "C" | "c":
            return Interact(StepName.SELECT_ACCOUNT, (Choice(session_kinds()[kind][0], letter == "C"),))
        case "R":
            return Refuse(LOGIN_REQUIRED)
        case _:
            return ASK_NAME


@pytest.mark.parametrize("hint", ["", "ada"])
def test_every_combination_of_prompt_max_age_and_session(hint: str) -> None:
    """Each combination has its listed outcome, whether or not a hint names the user of the session (AZ-14)."""
    asked = [
        (prompt, max_age, kind, letter)
        for prompt, letters in OUTCOMES.items()
        for (max_age, kind), letter in zip(
            product([None, 0, 3_600], session_kinds()), letters.replace(" ", ""), strict=True
        )
    ]

    assert set(OUTCOMES) == {None, *Prompt}
    assert [row for row in asked if decided(*row[:3], hint) != outcome(row[3], row[2])] == []


def test_only_the_hinted_users_session_counts() -> None:
    """A hint of another user requires a sign-in in every combination, which prompt=none refuses (AZ-14)."""
    asked = list(product([None, *Prompt], [None, 0, 3_600], session_kinds()))
    others = [row for row in asked if row[0] is not Prompt.NONE]

    assert [row for row in others if decided(*row, "bob") != ASK_NAME] == []
    assert {decided(*row, "bob") for row in asked if row[0] is Prompt.NONE} == {Refuse(LOGIN_REQUIRED)}


def decided(prompt: Prompt | None, max_age: int | None, kind: str, hint: str) -> Decision:
    """Decides a request with one prompt in a browser with sessions of a kind."""
    asked = requirements(*([prompt] if prompt else []), max_age=max_age, subject=hint)
    return decide(asked, session_kinds()[kind], NOW)


def test_cancelled_request_is_refused_despite_a_session() -> None:
    assert decide(requirements(denied=True), [session()], NOW) == Refuse(CANCELLED)


@pytest.mark.parametrize("prompt", [Prompt.LOGIN, Prompt.SELECT_ACCOUNT, Prompt.CREATE])
def test_sign_in_for_this_request_satisfies_prompt_login(prompt: Prompt) -> None:
    """A sign-in counts for its request, whatever the difference of two replicas' clocks."""
    own = session(age=5)

    assert decide(requirements(prompt, signed_in=own.sid), [own], NOW) == Issue(own)


def test_sign_in_for_this_request_satisfies_max_age_zero() -> None:
    """With max_age=0 one authentication is required, not endless ones (AZ-14)."""
    own = session(age=5)

    assert decide(requirements(max_age=0, signed_in=own.sid), [own], NOW) == Issue(own)


def test_later_sign_in_in_another_tab_satisfies_prompt_login() -> None:
    own = session(age=5)

    assert decide(requirements(Prompt.LOGIN, requested_at=NOW - 60), [own], NOW) == Issue(own)


def test_max_age_counts_from_the_start_of_the_request() -> None:
    """Time spent on the login pages does not make a session stale (AZ-14)."""
    own = session(age=100)

    assert decide(requirements(max_age=60, requested_at=NOW - 60), [own], NOW) == Issue(own)


def test_another_account_than_the_hinted_one_is_refused() -> None:
    """The hinted user signs in, or the response is an error (OIDC Core §3.1.2.1)."""
    asked = requirements(subject="ada", signed_in="sid-bob")

    assert decide(asked, [session("bob")], NOW) == Refuse(OTHER_ACCOUNT)


def test_session_of_another_organization_does_not_count() -> None:
    assert decide(requirements(org_id="org-of-bob"), [session("ada")], NOW) == ASK_NAME
    assert decide(requirements(org_id="org-of-bob"), [session("ada"), session("bob")], NOW) == Issue(session("bob"))


def chooser(*choices: tuple[Session, bool]) -> Interact:
    return Interact(StepName.SELECT_ACCOUNT, tuple(Choice(one, usable) for one, usable in choices))


@pytest.mark.parametrize("prompts", [(), (Prompt.CONSENT,), (Prompt.SELECT_ACCOUNT,)])
def test_several_sessions_show_the_account_choice(prompts: tuple[Prompt, ...]) -> None:
    ada, bob = session("ada"), session("bob", idle_left=3_700)

    assert decide(requirements(*prompts), [ada, bob], NOW) == chooser((bob, True), (ada, True))
    assert decide(requirements(*prompts, progress=Progress(chosen="sid-ada")), [ada, bob], NOW) == Issue(ada)


def test_account_older_than_max_age_needs_its_password() -> None:
    """The parameter max_age applies to each account separately."""
    ada, bob = session("ada", age=7_200), session("bob")
    chosen = Progress(chosen="sid-ada", login_name="ada@example.test")

    assert decide(requirements(max_age=3_600), [ada, bob], NOW) == chooser((ada, False), (bob, True))
    assert decide(requirements(max_age=3_600, progress=chosen), [ada, bob], NOW) == ASK_PASSWORD


def test_chosen_account_that_ended_needs_its_password() -> None:
    """The state of the chosen session is read again (P3)."""
    chosen = Progress(chosen="sid-ada", login_name="ada@example.test")

    assert decide(requirements(progress=chosen), [session("ada", left=0), session("bob")], NOW) == ASK_PASSWORD


def test_another_account_needs_its_login_name() -> None:
    assert decide(requirements(progress=Progress(other=True)), [session("ada"), session("bob")], NOW) == ASK_NAME


def test_hinted_session_is_selected_among_several() -> None:
    ada, bob = session("ada"), session("bob", idle_left=3_700)

    assert decide(requirements(hinted_user="ada"), [ada, bob], NOW) == Issue(ada)
    assert decide(requirements(hinted_user="eve"), [ada, bob], NOW) == chooser((bob, True), (ada, True))
    assert decide(requirements(Prompt.SELECT_ACCOUNT, hinted_user="ada"), [ada, bob], NOW) == chooser(
        (ada, True), (bob, True)
    )


def test_prompt_none_selects_no_account_arbitrarily() -> None:
    """With several accounts and no hint the response is interaction_required."""
    ada, bob = session("ada"), session("bob", idle_left=3_700)

    assert decide(requirements(Prompt.NONE), [ada, bob], NOW) == Refuse(SEVERAL_ACCOUNTS)
    assert decide(requirements(Prompt.NONE, subject="ada"), [ada, bob], NOW) == Issue(ada)
    assert decide(requirements(Prompt.NONE, hinted_user="bob"), [ada, bob], NOW) == Issue(bob)
    assert decide(requirements(Prompt.NONE, max_age=60), [session("ada", age=10), bob], NOW) == Issue(
        session("ada", age=10)
    )


def test_prompt_none_never_replaces_the_hinted_account() -> None:
    """If the hinted account needs its password, the response is login_required."""
    stale, bob = session("ada", age=7_200), session("bob")
    asked = requirements(Prompt.NONE, hinted_user="ada", max_age=3_600)

    assert decide(asked, [stale, bob], NOW) == Refuse(LOGIN_REQUIRED)


def test_prompt_login_with_several_sessions_needs_login_name() -> None:
    assert decide(requirements(Prompt.LOGIN), [session("ada"), session("bob")], NOW) == ASK_NAME


def test_session_of_this_request_overrides_the_hint() -> None:
    """An end user who entered a password continues as that account."""
    sessions = [session("ada", age=1), session("bob", idle_left=9_999)]

    assert decide(requirements(hinted_user="bob", signed_in="sid-ada"), sessions, NOW) == Issue(sessions[0])


def test_entered_login_name_leads_to_the_password() -> None:
    """The login continues at the open step, also after a sign-in in another tab."""
    typed = requirements(progress=Progress(login_name="ada"))

    assert decide(typed, [], NOW) == decide(typed, [session("bob")], NOW) == ASK_PASSWORD


def test_ended_session_of_this_request_needs_a_new_sign_in() -> None:
    """The state at the sign-in is read again (P3)."""
    asked = requirements(signed_in="sid-ada", progress=Progress(login_name="ada"))

    assert decide(asked, [session("ada", left=0)], NOW) == ASK_PASSWORD


@pytest.mark.parametrize("sessions", [[], [session("ada")], [session("ada"), session("bob")]])
def test_prompt_create_shows_the_registration(sessions: list[Session]) -> None:
    """Sessions do not matter, and without registration the login name is shown (Initiating User Registration via
    OIDC 1.0 §4.1).
    """
    asked = Progress(under_way=Registering())

    assert decide(requirements(Prompt.CREATE, progress=asked, may_register=True), sessions, NOW) == Interact(
        StepName.REGISTER
    )
    assert decide(requirements(Prompt.CREATE, progress=asked), sessions, NOW) == ASK_NAME


def test_authenticated_user_continues_with_requirements() -> None:
    """No other session answers instead, and this request has none yet (LG-08)."""
    authenticated = requirements(
        progress=Progress(login_name="ada", user_id="ada"), user=AuthenticatedUser(required=StepName.VERIFY_EMAIL)
    )

    assert decide(authenticated, [session("ada"), session("bob")], NOW) == Interact(StepName.VERIFY_EMAIL)
