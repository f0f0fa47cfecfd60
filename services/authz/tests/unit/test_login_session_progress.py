"""What a login session proves for a request: which first factor, and which second ones."""

from __future__ import annotations

import pytest
from portico_authz.domain.login_session import LoginSession, WebAuthnKey, first_factor_of, progress_of
from portico_authz.domain.progress import OwnPage
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, LoginPolicy, User
from portico_harness.rows import row
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHISHING_RESISTANT, ACR_PHRH, acr_of

ADA = User(user_id="u-ada", org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
ALL = LoginPolicy(factors=(Factor.TOTP, Factor.U2F, Factor.PASSKEY, Factor.OTP_EMAIL, Factor.OTP_SMS))
NONE = LoginPolicy(factors=())
BOUND = WebAuthnKey(Factor.PASSKEY, user_verified=True, device_bound=True)
KEY = WebAuthnKey(Factor.U2F, user_verified=True, device_bound=False)

PWD, TOTP, SMS, SEC, PASS = (
    StepName.PASSWORD,
    StepName.TOTP,
    StepName.OTP_SMS,
    StepName.SECURITY_KEY,
    StepName.PASSKEY,
)


def session_with(passed: dict[StepName, float]) -> LoginSession:
    keys = {key.step: key for key in (BOUND, KEY) if key.step in passed}
    return LoginSession("7f-x", "u-client", created=0, changed=0, ends_at=900, passed=passed, keys=keys)


PASSED: list[tuple[dict[StepName, float], LoginPolicy, float, tuple[str, ...], float, str]] = [
    ({PWD: 10}, ALL, 10, ("pwd",), 0, ACR_PASSWORD),
    ({PWD: 10, TOTP: 11}, ALL, 10, ("pwd", "otp", "mfa"), 11, ACR_MULTI_FACTOR),
    ({PWD: 10, TOTP: 5}, ALL, 10, ("pwd",), 0, ACR_PASSWORD),
    ({PWD: 10, TOTP: 11}, NONE, 10, ("pwd",), 0, ACR_PASSWORD),
    ({PWD: 10, TOTP: 7, SMS: 6}, ALL, 10, ("pwd", "otp", "sms", "mfa"), 7, ACR_MULTI_FACTOR),
    ({PWD: 10, SEC: 11}, ALL, 10, ("pwd", "pop", "user", "mfa"), 11, ACR_PHISHING_RESISTANT),
    ({PWD: 10, SEC: 11}, NONE, 10, ("pwd",), 0, ACR_PASSWORD),
    ({PASS: 10}, ALL, 10, ("hwk", "user", "mfa"), 10, ACR_PHRH),
    ({PASS: 10, PWD: 11}, ALL, 11, ("pwd", "hwk", "user", "mfa"), 10, ACR_PHRH),
    ({PASS: 11, PWD: 10}, ALL, 11, ("hwk", "user", "mfa"), 11, ACR_PHRH),
    ({PASS: 5, PWD: 10}, ALL, 10, ("pwd",), 0, ACR_PASSWORD),
    ({PASS: 11, PWD: 10}, NONE, 10, ("pwd",), 0, ACR_PASSWORD),
]


def test_factors_count_as_on_the_login_pages() -> None:
    """The last first factor, and second factors that are allowed and younger than time 5."""
    for passed, policy, first, amr, second_at, acr in PASSED:
        with row(passed, policy, first, amr, second_at, acr):
            session = session_with(passed)
            found = first_factor_of(session, policy)
            assert found is not None
            progress = progress_of(session, ADA, found, policy, 5)

            own = OwnPage(session.id, first, second_at)
            assert (progress.own_page, progress.amr) == (own, amr)
            assert progress.second is bool(second_at)
            assert acr_of(progress.amr, device_bound=progress.device_bound) == acr


@pytest.mark.parametrize("passed", [{}, {TOTP: 10.0}, {SEC: 10.0}, {TOTP: 10.0, SEC: 10.0}])
def test_second_factors_are_not_a_first_one(passed: dict[StepName, float]) -> None:
    assert first_factor_of(session_with(passed), ALL) is None
    assert session_with(passed).is_proven is False
