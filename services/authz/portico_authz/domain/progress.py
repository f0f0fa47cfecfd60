"""The answers to a sign-in so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from portico_contracts.step_names import StepName
from portico_contracts.users import ApiScope

from portico_authz.domain.external import PendingIdentity, ProviderOrigin


@dataclass(frozen=True, slots=True)
class FactorChallenge:
    """A WebAuthn challenge, or a code that was sent; `name` (at users) is never sent to the browser.

    `mail` is the part of the address or phone number to show; `delayed`: the code may come late or never. `renew_at` is
    in unix seconds: a page reloaded later gets a new challenge.
    """

    step: StepName
    name: str = field(repr=False)
    options: str = field(default="", repr=False)
    mail: str = ""
    renew_at: float = 0.0
    delayed: bool = False


class UnderWay:
    """What the user does now, besides the login name, the password and the first of the factors."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Registering(UnderWay):
    """A new account (prompt=create)."""


@dataclass(frozen=True, slots=True)
class VerifyingEmail(UnderWay):
    """An email address to which a code was sent: of a new account, or of an authenticated user."""

    challenge: str = field(repr=False)
    mail: str


@dataclass(frozen=True, slots=True)
class AtDirectory(UnderWay):
    """The LDAP server that the user signs in with."""

    server: ProviderOrigin


@dataclass(frozen=True, slots=True)
class UsingPasskey(UnderWay):
    """A passkey instead of login name and password."""


@dataclass(frozen=True, slots=True)
class ChosenFactor(UnderWay):
    """The second factor that the user chose."""

    step: StepName


@dataclass(frozen=True, slots=True)
class Enrolment(UnderWay):
    """The enrolment of a first second factor (decision 0046); `name` (at users) is never sent to the browser."""

    name: str = field(repr=False)
    mail: str = ""
    is_open: bool = False
    chosen: StepName | None = None
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Consented(UnderWay):
    """What the user has allowed for this request."""

    user_id: str
    allowed: tuple[ApiScope, ...]


@dataclass(frozen=True, slots=True)
class TrustChosen:
    """The user trusts this browser: since a second factor of this step, at this `User.trust_epoch`."""

    step: StepName
    epoch: int


@dataclass(frozen=True, slots=True)
class OwnPage:
    """The login session of a custom login page that it comes from, and when its factors were verified."""

    login_session: str
    first_at: float
    second_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Replaced as a whole, so that no two answers can mix (LG-08).

    Attributes:
        chosen: the sid selected on the account page.
        shown: replaces a ``login_name`` that the user did not enter.
        amr: in a step-up that of the session.
        step_up: the sid of a session that a second factor is added to.
        device_bound: a key of the sign-in cannot be copied to another device.
        emailed: the first factor was an emailed code, so that none counts as a second one.
        registered: an emailed code created the account, and a passkey is its first factor from now on, if possible.
        proved_address: the user has entered a code that was emailed to the address in this sign-in.
        auth_time: unix seconds by the provider, 0 if not stated.
        unproven: counts identities without the required proof of age.
        epoch: the user's `User.trust_epoch` when the first factor was verified; None for the session of a step-up.
        asked: the challenge that is open.
        external: a verified identity without an account (decision 0047).
        returned: came back from a provider that gave no usable identity.
    """

    chosen: str = ""
    other: bool = False
    returned: bool = False
    login_name: str = ""
    shown: str = ""
    org_id: str = ""
    user_id: str = ""
    amr: tuple[str, ...] = ()
    second: bool = False
    step_up: str = ""
    device_bound: bool = False
    emailed: bool = False
    registered: bool = False
    proved_address: bool = False
    external_factor: bool = False
    auth_time: int = 0
    unproven: int = 0
    epoch: int | None = None
    asked: FactorChallenge | None = None
    external: PendingIdentity | None = None
    under_way: UnderWay | None = None
    trust: TrustChosen | None = None
    own_page: OwnPage | None = None

    @property
    def shown_name(self) -> str:
        return self.shown or self.login_name

    @property
    def is_proof(self) -> bool:
        return bool(self.user_id or self.external) or isinstance(self.under_way, VerifyingEmail)

    def only_name(self) -> Progress:
        return Progress(login_name=self.login_name, shown=self.shown)

    @property
    def is_registered(self) -> bool:
        return isinstance(self.under_way, VerifyingEmail) and not self.user_id

    def trust_at(self, epoch: int) -> TrustChosen | None:
        """The trust after a change of credentials by the sign-in itself."""
        return replace(self.trust, epoch=epoch) if self.trust else None

    @property
    def enrolment(self) -> Enrolment | None:
        return self.under_way if isinstance(self.under_way, Enrolment) else None


UNTOUCHED: Final = Progress()
