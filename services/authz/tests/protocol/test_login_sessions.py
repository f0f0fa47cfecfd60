"""Login sessions: what a login client verifies, and what it is refused (decision 0107)."""

from __future__ import annotations

import asyncio
from dataclasses import replace as with_values

import pytest
from msgspec.structs import replace
from portico_contracts import events
from portico_contracts.login_sessions import CheckLogin, LoginChallenges, LoginChecks
from portico_contracts.users import Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, PASSWORD, AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.login_client import LoginClient
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError

HOST = "id.example.test"
MAIL = LoginChallenges(otp_email=True)
TEXT = LoginChallenges(otp_sms=True)
KEY = LoginChallenges(domain=HOST)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def client(authz: AuthzService) -> LoginClient:
    return LoginClient(authz.bus)


async def failures(authz: AuthzService, bus: MemoryBus) -> list[tuple[str, str]]:
    """User and client of each event about a failed sign-in."""
    await authz.publisher.settle()
    subject = events.LOGIN_FAILED.subject
    return [(body.user_id, body.client_id) for published, body in bus.published if published == subject]


@pytest.mark.parametrize("named", [{"login_name": "ada"}, {"user_id": "u-ada"}, {"login_name": "ada@mail.test"}])
async def test_session_states_what_was_verified(client: LoginClient, clock: FrozenClock, named: dict[str, str]) -> None:
    session = await client.with_checks(**named)
    named_at = clock.now()
    clock.tick(5)
    session = await session.with_checks(password=PASSWORD)
    shown = await session.state()

    assert shown is not None
    assert (shown.user_id, shown.org_id, shown.login_name) == (ADA.user_id, ADA.org_id, ADA.login_name)
    assert (shown.user_verified_at, shown.password_at, shown.totp_at) == (named_at, clock.now(), 0.0)
    assert (shown.created, shown.changed, shown.sequence) == (named_at, clock.now(), 2)


@pytest.mark.parametrize("named", [{"login_name": "nobody"}, {"user_id": "u-nobody"}, {"user_id": "u-bob"}])
async def test_unknown_person_is_not_found(authz: AuthzService, client: LoginClient, named: dict[str, str]) -> None:
    """Service users are unknown too, and a session without a user is stored for none of them."""
    authz.peers.people[BOB.user_id] = replace(BOB, human=False)

    assert await client.refused(checks=LoginChecks(**named)) == "AUTHZ-211"


async def test_unknown_name_with_a_password_is_like_a_wrong_password(authz: AuthzService, client: LoginClient) -> None:
    """The same error after the same attempt at users, so that neither response nor time shows who has an account."""
    answers = [
        await client.refused(checks=LoginChecks(login_name=name, password="wrong")) for name in ("ada", "nobody")
    ]

    assert answers == ["AUTHZ-212", "AUTHZ-212"]
    assert [(attempt.login_name, attempt.org_id) for attempt in authz.peers.attempts] == [("ada", ""), ("nobody", "")]


async def test_user_of_the_old_system_signs_in(authz: AuthzService, client: LoginClient, bus: MemoryBus) -> None:
    """Users creates the user at the first right password (decision 0103), which is verified once."""
    authz.peers.migrating["eve@old.test"] = replace(ADA, user_id="u-eve", login_name="eve@example.test")
    wrong = await client.refused(checks=LoginChecks(login_name="eve@old.test", password="wrong"))
    session = await client.with_password("eve@old.test")
    shown = await session.state()

    assert shown is not None
    assert (shown.user_id, shown.login_name, shown.password_at > 0) == ("u-eve", "eve@example.test", True)
    assert (wrong, len(authz.peers.attempts)) == ("AUTHZ-212", 2)
    assert await failures(authz, bus) == [("", "")]


async def test_inactive_person_is_not_found_later(authz: AuthzService, client: LoginClient) -> None:
    session = await client.with_password()
    del authz.peers.people[ADA.user_id]

    assert await session.refused() == "AUTHZ-211"


async def test_user_of_a_session_never_changes(authz: AuthzService, client: LoginClient) -> None:
    session = await client.with_password()

    assert await session.refused(checks=LoginChecks(login_name="bob", password=PASSWORD)) == "AUTHZ-220"
    assert await session.refused(checks=LoginChecks(login_name="nobody", password=PASSWORD)) == "AUTHZ-220"
    assert await session.refused(checks=LoginChecks(user_id=BOB.user_id)) == "AUTHZ-220"
    assert [attempt.login_name for attempt in authz.peers.attempts] == ["ada"]


async def test_password_needs_a_user(authz: AuthzService, client: LoginClient) -> None:
    """Nothing is verified in a session without one."""
    session = client.at(await client.changed())

    assert await session.refused(checks=LoginChecks(password=PASSWORD)) == "AUTHZ-220"
    assert authz.peers.attempts == []


@pytest.mark.parametrize(
    ("check", "value"),
    [("password", "wrong"), ("totp", "000000"), ("otp_email", "00000000"), ("otp_sms", "00000000"), ("credential", "")],
)
async def test_wrong_value_changes_nothing(
    authz: AuthzService, client: LoginClient, bus: MemoryBus, check: str, value: str
) -> None:
    """One error for all checks, and the event of the login pages without an application."""
    factors = (Factor.TOTP, Factor.OTP_EMAIL, Factor.OTP_SMS, Factor.U2F)
    authz.peers.factors.give(ADA.user_id, *factors)
    authz.peers.set_policy("org-1", factors=factors)
    session = await client.with_password()
    begun = await session.checked(challenges=LoginChallenges(domain=HOST, otp_email=True, otp_sms=True))
    session = session.at(begun)
    before = await session.state()
    value = value or signed(begun.options, "no key")

    assert await session.refused(checks=LoginChecks(**{check: value}), metadata={"a": "b"}) == "AUTHZ-212"
    assert await session.state() == before
    assert await failures(authz, bus) == [(ADA.user_id, "")]


async def test_no_check_of_a_refused_call_is_stored(authz: AuthzService, client: LoginClient) -> None:
    """A right password with a wrong code."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    session = client.at(await client.checked(login_name="ada"))
    await session.refused(checks=LoginChecks(password=PASSWORD, totp="000000"))

    shown = await session.state()
    assert shown is not None
    assert (shown.password_at, shown.sequence) == (0.0, 1)


async def test_delay_of_users_is_returned(authz: AuthzService, client: LoginClient, bus: MemoryBus) -> None:
    session = client.at(await client.checked(login_name="ada"))
    authz.peers.wait_seconds = 40
    with pytest.raises(ServiceError) as error:
        await session.checked(password=PASSWORD)

    assert (error.value.kind, error.value.retry_after) == (Kind.TOO_MANY_REQUESTS, 40)
    assert await failures(authz, bus) == [(ADA.user_id, "")]


@pytest.mark.parametrize("factor", [Factor.TOTP, Factor.OTP_EMAIL, Factor.U2F, Factor.PASSKEY])
async def test_factor_must_be_allowed(
    authz: AuthzService, client: LoginClient, clock: FrozenClock, factor: Factor
) -> None:
    """By the organization of the user, when it is verified (LG-20)."""
    authz.peers.factors.give(ADA.user_id, factor)
    session = await client.with_password()
    if factor is not Factor.TOTP:
        session = session.at(begun := await session.checked(challenges=MAIL if factor is Factor.OTP_EMAIL else KEY))
    authz.peers.set_policy("org-1", factors=())
    clock.tick(2)
    if factor is Factor.TOTP:
        checks = LoginChecks(totp="111111")
    elif factor is Factor.OTP_EMAIL:
        checks = LoginChecks(otp_email="12345678")
    else:
        checks = LoginChecks(credential=signed(begun.options, KEY_OF[ADA.user_id]))

    assert await session.refused(checks=checks) == "AUTHZ-212"


@pytest.mark.parametrize("checks", [{"totp": "111111"}, {"otp_email": "12345678"}, {"otp_sms": "12345678"}])
async def test_code_counts_only_after_a_first_factor(
    authz: AuthzService, client: LoginClient, checks: dict[str, str]
) -> None:
    """Otherwise a name would be enough to use up the attempts of its owner (LG-08)."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP, Factor.OTP_EMAIL, Factor.OTP_SMS)
    session = client.at(await client.checked(login_name="ada"))

    assert await session.refused(checks=LoginChecks(**checks)) == "AUTHZ-214"
    assert authz.peers.factors.attempts == 0


@pytest.mark.parametrize("challenges", [MAIL, TEXT])
async def test_code_is_sent_only_after_a_first_factor(
    authz: AuthzService, client: LoginClient, challenges: LoginChallenges
) -> None:
    """Otherwise a name would be enough to send messages to its owner."""
    authz.peers.factors.give(ADA.user_id, Factor.OTP_EMAIL, Factor.OTP_SMS)
    session = client.at(await client.checked(login_name="ada"))

    assert await session.refused(challenges=challenges) == "AUTHZ-214"
    assert (authz.peers.factors.mailed, authz.peers.factors.texted) == ([], [])


@pytest.mark.parametrize("challenges", [MAIL, TEXT, KEY])
async def test_challenge_needs_an_allowed_factor(client: LoginClient, challenges: LoginChallenges) -> None:
    assert await (await client.with_password()).refused(challenges=challenges) == "AUTHZ-222"


async def test_passkey_challenge_needs_a_passkey(authz: AuthzService, client: LoginClient) -> None:
    """A security key of the user cannot be the first factor."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    session = client.at(await client.checked(login_name="ada"))
    challenges = LoginChallenges(domain=HOST, user_verification=True)

    assert await session.refused(challenges=challenges) == "AUTHZ-222"


async def test_webauthn_needs_the_host_of_the_issuer(authz: AuthzService, client: LoginClient) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    session = client.at(await client.checked(login_name="ada"))

    for domain in ("login.example.test", "example.test", f"{HOST}.evil.test", HOST.upper()):
        assert await session.refused(challenges=LoginChallenges(domain=domain)) == "AUTHZ-221"


async def test_unverified_passkey_is_not_a_first_factor(authz: AuthzService, client: LoginClient) -> None:
    """Otherwise the finder of a lost authenticator would be signed in."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY, Factor.TOTP)
    authz.peers.factors.user_verified = False
    begun = await client.checked(login_name="ada", challenges=KEY)
    session = await client.at(begun).with_checks(credential=signed(begun.options, KEY_OF[ADA.user_id]))

    assert await session.refused(checks=LoginChecks(totp="111111")) == "AUTHZ-214"


async def test_challenge_is_used_once(authz: AuthzService, client: LoginClient) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.OTP_EMAIL)
    session = await client.with_password()
    session = session.at(await session.checked(challenges=MAIL))
    session = await session.with_checks(otp_email="12345678")

    assert await session.refused(checks=LoginChecks(otp_email="12345678")) == "AUTHZ-212"
    stored = await authz.stores.login_sessions.find(session.id)
    assert stored is not None
    assert stored.challenges == {}


async def test_other_login_clients_do_not_find_it(client: LoginClient) -> None:
    """Neither to read nor to change nor to end it."""
    session = await client.with_password()
    other = with_values(session, actor="u-other-client")

    assert await other.state() is None
    assert await other.refused(checks=LoginChecks(password=PASSWORD)) == "AUTHZ-210"
    assert await other.end() is False
    assert await session.state() is not None


@pytest.mark.parametrize("id", ["7fAAAAAAAAAAAAAAAAAAAAAA", "no identifier"])
async def test_unknown_session_cannot_be_changed(client: LoginClient, id: str) -> None:
    unknown = with_values(client, id=id)

    assert (await unknown.refused(), await unknown.state(), await unknown.end()) == ("AUTHZ-210", None, False)


async def test_concurrent_changes_lose_no_check(authz: AuthzService, client: LoginClient) -> None:
    """Each change is stored as a whole, or refused with an error for which the call can be repeated."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    authz.peers.factors.reusable = True
    session = await client.with_password()
    changes = [session.changed(checks=LoginChecks(totp="111111"), metadata={f"k{n}": "eA=="}) for n in range(5)]
    done = await asyncio.gather(*changes, return_exceptions=True)

    errors = [one for one in done if isinstance(one, BaseException)]
    assert {error.kind for error in errors if isinstance(error, ServiceError)} <= {Kind.ABORTED}
    shown = await session.state()
    assert shown is not None
    assert shown.sequence == 1 + 5 - len(errors)
    assert len(shown.metadata) == 5 - len(errors)


async def test_change_of_credentials_removes_earlier_factors(authz: AuthzService, client: LoginClient) -> None:
    """A code verified after it does not count for the password before it."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    session = await client.with_password()
    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], trust_epoch=1)
    session = await session.with_checks(totp="111111")

    shown = await session.state()
    assert shown is not None
    assert (shown.password_at, shown.totp_at > 0) == (0.0, True)


async def test_token_is_stored_as_a_fingerprint(authz: AuthzService, client: LoginClient) -> None:
    first = await client.with_password()
    second = first.at(await first.changed())
    stored = await authz.stores.login_sessions.find(first.id)

    assert first.token != second.token
    assert second.token not in repr(stored)


async def test_repr_of_a_check_has_no_password() -> None:
    """Messages end up in logs and tracebacks."""
    assert PASSWORD not in repr(CheckLogin(actor="u", checks=LoginChecks(password=PASSWORD)))
