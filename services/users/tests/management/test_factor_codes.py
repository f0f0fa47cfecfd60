"""Authenticator apps, codes by email, recovery codes, and the methods of a user, through the management API."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.credentials.totp.time_codes import code_at

pytestmark = pytest.mark.servers

_OF = "portico.user.v2.UserService"


class Factors:
    """Calls the operations for the user "self"."""

    def __init__(self, managed: Any, *, user: str = "self") -> None:
        self.managed = managed
        self.user_id = f"{user}-{managed.tag}"

    async def call(self, name: str, path: str, *, by: str = "self", **body: Any) -> ApiResponse:
        """One of them."""
        return await call_as(self.managed, f"{_OF}.{name}", body, by=by, path=f"/v2/users/{self.user_id}/{path}")

    async def start(self, **more: Any) -> bytes:
        """Begins the registration of a generator; its secret."""
        response = await self.call("RegisterTOTP", "totp", **more)
        assert response.code == 0, response.body
        return base64.b32decode(response.body["secret"])

    async def verify(self, code: str, **more: Any) -> ApiResponse:
        """Types a code."""
        return await self.call("VerifyTOTPRegistration", "totp/verify", code=code, **more)

    def code(self, secret: bytes, *, seconds: int = 0) -> str:
        """The code that is shown so many seconds from now."""
        return code_at(secret, self.managed.users.clock.now() + seconds)

    async def methods(self) -> list[str]:
        """The kinds of credentials."""
        response = await self.call("ListAuthenticationMethodTypes", "authentication_methods")
        found = [one.removeprefix("AUTHENTICATION_METHOD_TYPE_") for one in response.body.get("authMethodTypes", [])]
        assert int(response.body["details"].get("totalResult", 0)) == len(found)
        return found


async def test_a_generator_is_registered_and_removed(managed: Any) -> None:
    """The secret is sealed where it is stored, in no event, and removed with the generator."""
    factors = Factors(managed)
    secret = await factors.start()
    done = await factors.verify(factors.code(secret))
    [row] = await managed.users.rows("totpSecrets", _id=factors.user_id)
    events = str(await managed.users.rows("events", object=factors.user_id))
    methods = await factors.methods()
    removed = await factors.call("RemoveTOTP", "totp")

    assert done.body["details"]["sequence"] == "2"
    assert secret not in row["sealed"]["data"]
    assert base64.b32encode(secret).decode() not in events
    assert methods == ["TOTP"]
    assert removed.body["details"]["sequence"] == "3"
    assert await managed.users.rows("totpSecrets", _id=factors.user_id) == []
    assert (await factors.call("RemoveTOTP", "totp")).error_code == "USER-511"


async def test_the_address_is_what_every_app_reads(managed: Any) -> None:
    """An otpauth address with issuer, login name and the secret (RFC 6238: SHA-1, six digits, thirty seconds)."""
    factors = Factors(managed)
    response = await factors.call("RegisterTOTP", "totp")
    address = urlsplit(response.body["uri"])
    wanted = {name: values[0] for name, values in parse_qs(address.query).items()}

    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert address.path.startswith("/Portico:self-")
    assert wanted["secret"].rstrip("=") == response.body["secret"]
    assert (wanted["issuer"], wanted["digits"], wanted["period"]) == ("Portico", "6", "30")


@pytest.mark.parametrize(("seconds", "taken"), [(-60, False), (-30, True), (30, True), (60, False)])
async def test_a_clock_may_be_off_by_one_step(managed: Any, seconds: int, taken: bool) -> None:
    """The codes of the step before and after are accepted."""
    factors = Factors(managed)
    secret = await factors.start()
    response = await factors.verify(factors.code(secret, seconds=seconds))

    assert (response.code == 0) is taken
    if not taken:
        assert (response.code, response.error_code, response.fields) == (3, "USER-512", ["code"])


@pytest.mark.parametrize("code", ["000", "abcdef", "١٢٣٤٥٦", "1" * 200])
async def test_what_is_no_code_is_wrong(managed: Any, code: str) -> None:
    """Whatever is typed: code 3, and the registration goes on."""
    factors = Factors(managed)
    secret = await factors.start()

    assert (await factors.verify(code)).error_code == "USER-512"
    assert (await factors.verify(factors.code(secret))).code == 0


async def test_codes_cannot_be_guessed(managed: Any) -> None:
    """From the fifth wrong one on there is a delay, for the right one alike (LG-07)."""
    factors = Factors(managed)
    secret = await factors.start()
    wrong = [await factors.verify("000000") for _ in range(5)]
    right = await factors.verify(factors.code(secret))

    assert {response.error_code for response in wrong} == {"USER-512"}
    assert (right.code, right.error_code) == (8, "USER-033")


async def test_there_is_one_generator(managed: Any) -> None:
    """A second start while one is ready: code 6; one that is under way keeps its secret, for who began it (PP-11)."""
    factors = Factors(managed)
    first = await factors.start()
    assert (await factors.verify("000000")).error_code == "USER-512"
    managed.users.clock.tick(599)
    again = await factors.start()
    managed.users.clock.tick(599)

    assert again == first
    assert (await factors.verify(factors.code(first))).code == 0
    assert (await factors.call("RegisterTOTP", "totp")).error_code == "USER-510"
    assert (await factors.verify(factors.code(first))).error_code == "USER-510"


async def test_a_registration_of_another_caller_is_replaced(managed: Any) -> None:
    """The secret that a caller was given is shown to that caller alone."""
    factors = Factors(managed)
    of_owner = await factors.start(by="owner")
    own = await factors.start()

    assert own != of_owner
    assert (await factors.verify(factors.code(of_owner), by="owner")).error_code == "USER-511"
    assert (await factors.verify(factors.code(own))).code == 0


@pytest.mark.parametrize("seconds", [600, -11])
async def test_a_registration_is_of_who_began_it_and_ends(managed: Any, seconds: int) -> None:
    """It is valid for ten minutes and for its own caller, and expired for a clock that was set back as well (FD-14)."""
    factors = Factors(managed)
    secret = await factors.start(by="owner")
    other = await factors.verify(factors.code(secret), by="self")
    managed.users.clock.tick(seconds)
    late = await factors.verify(factors.code(secret), by="owner")

    assert (other.error_code, late.error_code) == ("USER-511", "USER-511")


async def test_codes_by_email_need_a_verified_address(managed: Any) -> None:
    """Removing fails with code 9 without one; once removed it is deleted."""
    body = managed.new_human(email={"email": f"new-{managed.tag}@mail.example", "returnCode": {}})
    await managed.add(body)
    unproven, factors = Factors(managed, user="new"), Factors(managed)
    refused = await unproven.call("AddOTPEmail", "otp_email", by="owner")
    added = await factors.call("AddOTPEmail", "otp_email")
    twice = await factors.call("AddOTPEmail", "otp_email")
    methods = await factors.methods()
    removed = await factors.call("RemoveOTPEmail", "otp_email")

    assert (refused.code, refused.error_code) == (9, "USER-530")
    assert added.body["details"]["sequence"] == "2"
    assert twice.error_code == "USER-531"
    assert methods == ["OTP_EMAIL"]
    assert removed.code == 0
    assert await factors.methods() == []


async def test_recovery_codes_are_shown_once(managed: Any) -> None:
    """Ten unless asked otherwise, all different, kept as hashes; counted, replaced, removed."""
    factors = Factors(managed)
    first = (await factors.call("GenerateRecoveryCodes", "recovery_codes")).body["recoveryCodes"]
    [row] = await managed.users.rows("recoveryCodes", _id=factors.user_id)
    second = (await factors.call("GenerateRecoveryCodes", "recovery_codes", count=3)).body["recoveryCodes"]
    counted = await factors.call("CountRecoveryCodes", "recovery_codes")
    methods = await factors.methods()
    removed = await factors.call("RemoveRecoveryCodes", "recovery_codes")
    gone = await factors.call("CountRecoveryCodes", "recovery_codes")

    assert len(set(first)) == len(row["hashes"]) == 10
    assert not any(code in str(row) for code in first)
    assert len(second) == 3
    assert not set(first) & set(second)
    assert counted.body["count"] == 3
    assert methods == ["RECOVERY_CODE"]
    assert removed.code == 0
    assert "count" not in gone.body
    assert (await factors.call("RemoveRecoveryCodes", "recovery_codes")).error_code == "USER-520"


async def test_too_many_recovery_codes_are_refused(managed: Any) -> None:
    """At most twenty recovery codes are generated at once."""
    refused = await Factors(managed).call("GenerateRecoveryCodes", "recovery_codes", count=21)

    assert (refused.code, refused.fields) == (3, ["count"])


async def test_second_factors_are_listed(managed: Any) -> None:
    """With their state; recovery codes and passwords are none."""
    factors = Factors(managed)
    secret = await factors.start()
    await factors.verify(factors.code(secret))
    await factors.call("AddOTPEmail", "otp_email")
    await factors.call("GenerateRecoveryCodes", "recovery_codes")
    response = await factors.call("ListAuthenticationFactors", "authentication_factors/_search")

    ready = "AUTH_FACTOR_STATE_READY"
    app, email = response.body["result"]
    assert (app["state"], set(app["otp"])) == (ready, {"creationDate", "lastUsed"})
    assert email == {"state": ready, "otpEmail": {}}
    assert await factors.methods() == ["TOTP", "OTP_EMAIL", "RECOVERY_CODE"]
