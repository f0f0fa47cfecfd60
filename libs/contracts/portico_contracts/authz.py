from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret


class RedeemCode(Message, frozen=True):
    """Redeems a code for an authenticated client (RFC 6749 section 4.1.3); `code_verifier` is empty without PKCE.

    `jkt` is the thumbprint of the key that the client proved (RFC 9449); empty without one.
    """

    code: Secret
    client_id: str
    redirect_uri: str
    code_verifier: Secret = ""
    jkt: str = ""


class CodeGrant(Message, frozen=True):
    """The grant of an authorization code.

    `auth_time` is in unix seconds. `claims` is JSON text (OIDC Core section 5.5), or empty. A refresh may
    repeat the words of `dropped_scope` (RFC 6749 section 6). `auth_time_proven` is false where an identity
    provider did not state the time. `resources` are those requested (RFC 8707), as registered. `session_began` is
    when the sign-in of the session began, in unix seconds; 0 if unknown (older releases). `client_org_id` is the
    organization of the client (`GetClient`); empty in grants of the release before.
    """

    grant_id: str
    client_id: str
    user_id: str
    session_id: str
    scope: tuple[str, ...]
    auth_time: int
    amr: tuple[str, ...]
    acr: str
    auth_time_proven: bool
    nonce: str = ""
    claims: str = ""
    dropped_scope: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    session_began: int = 0
    client_org_id: str = ""


class CodeRedeemed(Message, frozen=True):
    """`grant`, or `spent_grant_id`: the right client replayed a used code, so the grant must be revoked.

    `version` is of the user, read with the code; None where the code does not name its user.
    """

    grant: CodeGrant | None = None
    spent_grant_id: str = ""
    version: str | None = None


REDEEM_CODE = Rpc("authz.v1.code.redeem", RedeemCode, CodeRedeemed, ("token",))


class PushRequest(Message, frozen=True):
    """Checks and stores an authorization request of an authenticated client (RFC 9126 section 2.1).

    `parameters` are without credentials; `repeated` are the names that occurred more than once.
    `client_address` is the fingerprint of a public client's address, which limits it; empty for others.
    """

    client_id: str
    parameters: dict[str, str]
    client_address: str
    repeated: tuple[str, ...] = ()


class RequestPushed(Message, frozen=True):
    """The URI of the stored request, and its lifetime in seconds."""

    request_uri: Secret
    expires_in: int


PUSH_REQUEST = Rpc("authz.v1.request.push", PushRequest, RequestPushed, ("token",))


class BeginDevice(Message, frozen=True):
    """Begins a sign-in on a device for an authenticated client (RFC 8628 section 3.1); `address` is the device's.

    Several values of `resource` are separated by spaces.
    """

    client_id: str
    scope: str
    address: str
    resource: str = ""


class DeviceBegun(Message, frozen=True):
    """The codes of a device; `user_code` is without a hyphen, times are in seconds."""

    device_code: Secret
    user_code: Secret
    expires_in: int
    interval: int


class RedeemDevice(Message, frozen=True):
    """Asks, for an authenticated client, whether the user has approved (RFC 8628 section 3.4)."""

    client_id: str
    device_code: Secret


class DeviceRedeemed(Message, frozen=True):
    """The grant of an approved device, once."""

    grant: CodeGrant


BEGIN_DEVICE = Rpc("authz.v1.device.begin", BeginDevice, DeviceBegun, ("token",))
REDEEM_DEVICE = Rpc("authz.v1.device.redeem", RedeemDevice, DeviceRedeemed, ("token",))


class ListSessions(Message, frozen=True):
    """Lists the live sessions of a user."""

    user_id: str


class SessionState(Message, frozen=True):
    """One live session; times are in unix seconds, `device` is from a closed list or empty.

    `country` is an ISO 3166-1 code, empty if unknown.
    """

    session_id: str
    auth_time: float
    used_at: float
    amr: tuple[str, ...]
    device: str = ""
    country: str = ""


class SessionStates(Message, frozen=True):
    """Live sessions, most recently used first."""

    sessions: tuple[SessionState, ...]


class EndSessions(Message, frozen=True):
    """Ends sessions of a user and revokes their tokens, all if `session_ids` is empty; replies once that is durable.

    `actor` is who ends them, ``system`` for the operator and for rules; empty, or the id of the user, for the user.
    """

    user_id: str
    session_ids: tuple[str, ...] = ()
    but_session_id: str = ""
    actor: str = ""


class SessionsEnded(Message, frozen=True):
    """Number of ended sessions."""

    sessions: int


class ListTrustedDevices(Message, frozen=True):
    """Lists the browsers that a user trusts."""

    user_id: str


class TrustedDeviceState(Message, frozen=True):
    """A browser in which no second factor of the user is requested; times are in unix seconds.

    `device` and `country` are as in `SessionState`, of the sign-in in which the trust started.
    """

    device_id: str
    since: float
    until: float
    device: str = ""
    country: str = ""


class TrustedDeviceStates(Message, frozen=True):
    """Devices that are trusted now, the latest first."""

    devices: tuple[TrustedDeviceState, ...]


class EndTrustedDevice(Message, frozen=True):
    """Ends the trust of a user in a browser, at once."""

    user_id: str
    device_id: str


class TrustedDeviceEnded(Message, frozen=True):
    """`ended` is false for an unknown device."""

    ended: bool


class FindCountry(Message, frozen=True):
    """Requests the country of an IP address; empty for none."""

    address: str = ""


class CountryFound(Message, frozen=True):
    """`is_configured`: there is a database of countries; `country` is an ISO 3166-1 code, empty if unknown."""

    is_configured: bool
    country: str = ""


FIND_COUNTRY = Rpc("authz.v1.country.find", FindCountry, CountryFound, ("users",))
LIST_TRUSTED_DEVICES = Rpc("authz.v1.trust.list", ListTrustedDevices, TrustedDeviceStates, ("users",))
END_TRUSTED_DEVICE = Rpc("authz.v1.trust.end", EndTrustedDevice, TrustedDeviceEnded, ("users",))
LIST_SESSIONS = Rpc("authz.v1.session.list", ListSessions, SessionStates, ("users", "token", "operator"))
END_SESSIONS = Rpc("authz.v1.session.end", EndSessions, SessionsEnded, ("users", "operator"))
