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
    def __init__(self, managed: Any, *, user: str = "self") -> None:
        self.managed = managed
        self.user_id = f"{user}-{managed.tag}"

    async def call(self, name: str, path: str, *, by: str = "self", **body: Any) -> ApiResponse:
        return await call_as(self.managed, f"{_OF}.{name}", body, by=by, path=f"/v2/users/{self.user_id}/{path}")

    async def start(self, **more: Any) -> bytes:
        response = await self.call("RegisterTOTP", "totp", **more)
        assert response.code == 0, response.body
        return base64.b32decode(response.body["secret"])

    async def verify(self, code: str, **more: Any) -> ApiResponse:
        return await self.call("VerifyTOTPRegistration", "totp/verify", code=code, **more)

    def code(self, secret: bytes, *, seconds: int = 0) -> str:
        return code_at(secret, self.managed.users.clock.now() + seconds)

    async def methods(self) -> list[str]:
        response = await self.call("ListAuthenticationMethodTypes", "authentication_methods")
        found = [one.removeprefix("AUTHENTICATION_METHOD_TYPE_") for one in response.body.get("authMethodTypes", [])]
        assert int(response.body["details"].get("totalResult", 0)) == len(found)
        return found


async def test_totp_is_registered_and_removed(managed: Any) -> None:
    """The secret is stored encrypted, appears in no event, and is deleted with the authenticator app."""
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


async def test_provisioning_uri(managed: Any) -> None:
    """The otpauth URI has issuer, login name and secret (RFC 6238: SHA-1, six digits, thirty seconds)."""
    factors = Factors(managed)
    response = await factors.call("RegisterTOTP", "totp")
    address = urlsplit(response.body["uri"])
    wanted = {name: values[0] for name, values in parse_qs(address.query).items()}

    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert address.path.startswith("/Portico:self-")
    assert wanted["secret"].rstrip("=") == response.body["secret"]
    assert (wanted["issuer"], wanted["digits"], wanted["period"]) == ("Portico", "6", "30")


@pytest.mark.parametrize(("seconds", "taken"), [(-60, False), (-30, True), (30, True), (60, False)])
async def test_clock_drift_of_one_step_is_tolerated(managed: Any, seconds: int, taken: bool) -> None:
    factors = Factors(managed)
    secret = await factors.start()
    response = await factors.verify(factors.code(secret, seconds=seconds))

    assert (response.code == 0) is taken
    if not taken:
        assert (response.code, response.error_code, response.fields) == (3, "USER-512", ["code"])


@pytest.mark.parametrize("code", ["000", "abcdef", "١٢٣٤٥٦", "1" * 200])
async def test_invalid_code_is_refused(managed: Any, code: str) -> None:
    """Any other input gives code 3, and the registration stays pending."""
    factors = Factors(managed)
    secret = await factors.start()

    assert (await factors.verify(code)).error_code == "USER-512"
    assert (await factors.verify(factors.code(secret))).code == 0


async def test_wrong_codes_are_delayed(managed: Any) -> None:
    """From the fifth wrong code on there is a delay, also for the right one (LG-07)."""
    factors = Factors(managed)
    secret = await factors.start()
    wrong = [await factors.verify("000000") for _ in range(5)]
    right = await factors.verify(factors.code(secret))

    assert {response.error_code for response in wrong} == {"USER-512"}
    assert (right.code, right.error_code) == (8, "USER-033")


async def test_only_one_authenticator_app(managed: Any) -> None:
    """A second registration gives code 6; a pending one keeps its secret for the caller who started it."""
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


async def test_another_caller_replaces_the_registration(managed: Any) -> None:
    """The secret of a registration is shown only to the caller who started it."""
    factors = Factors(managed)
    of_owner = await factors.start(by="owner")
    own = await factors.start()

    assert own != of_owner
    assert (await factors.verify(factors.code(of_owner), by="owner")).error_code == "USER-511"
    assert (await factors.verify(factors.code(own))).code == 0


@pytest.mark.parametrize("seconds", [600, -11])
async def test_registration_expires_and_belongs_to_its_caller(managed: Any, seconds: int) -> None:
    """A registration is valid for ten minutes, only for its caller, and not if the clock was set back (FD-14)."""
    factors = Factors(managed)
    secret = await factors.start(by="owner")
    other = await factors.verify(factors.code(secret), by="self")
    managed.users.clock.tick(seconds)
    late = await factors.verify(factors.code(secret), by="owner")

    assert (other.error_code, late.error_code) == ("USER-511", "USER-511")


async def test_email_codes_need_a_verified_address(managed: Any) -> None:
    """Without a verified address email codes give code 9; once removed they are deleted."""
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
    """Ten different codes are generated by default, stored as hashes; they can be counted, replaced and removed."""
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
    """Second factors are listed with their state, without recovery codes and passwords."""
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
