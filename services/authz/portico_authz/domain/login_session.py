"""A sign-in on a custom login page, which has no browser yet, and its result for a browser (decision 0107)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, LoginPolicy, User
from portico_oauth.assurance import PASSWORD, add_second_factor
from portico_oauth.clock_leeway import is_issued_ahead

from portico_authz.domain.factors import is_allowed, may_begin_with_passkey, methods_of
from portico_authz.domain.progress import OwnPage, Progress
from portico_authz.domain.session import Lifetimes, short_name

PROOF_SECONDS: Final = 120
"""How long the browser has for the redirect that ends a sign-in."""

_FACTORS: Final = {
    StepName.PASSKEY: Factor.PASSKEY,
    StepName.TOTP: Factor.TOTP,
    StepName.OTP_SMS: Factor.OTP_SMS,
    StepName.OTP_EMAIL: Factor.OTP_EMAIL,
}


@dataclass(frozen=True, slots=True)
class WebAuthnKey:
    """The key that was used. Only a passkey that has verified its user is a first factor."""

    kind: Factor
    user_verified: bool
    device_bound: bool

    @property
    def step(self) -> StepName:
        is_first = self.kind is Factor.PASSKEY and self.user_verified
        return StepName.PASSKEY if is_first else StepName.SECURITY_KEY


@dataclass(frozen=True, slots=True)
class LoginSession:
    """What a login client has verified of a user so far; times are in unix seconds.

    Attributes:
        actor: the login client: a service user. Others do not find the session.
        sequence: the number of the change; a change is stored if no other was stored since it was read.
        ends_at: requested end; before a first factor it ends earlier (`expires_at`).
        token: fingerprint of the session token, which each change replaces.
        named_at: when the user was named. The user never changes afterwards.
        trust_epoch: `User.trust_epoch` at the first verified factor. After a change of credentials no factor counts.
        passed: when which factor was verified.
        keys: the WebAuthn keys among them.
        challenges: names (at users) of open challenges, which are never returned.
        metadata: base64 values of the login client.
        sids: the single sign-on sessions that began with it; stored separately.
    """

    id: str
    actor: str
    created: float
    changed: float
    ends_at: float
    sequence: int = 0
    token: str = field(default="", repr=False)
    user_id: str = ""
    org_id: str = ""
    login_name: str = ""
    display_name: str = ""
    named_at: float = 0.0
    trust_epoch: int = 0
    passed: dict[StepName, float] = field(default_factory=dict)
    keys: dict[StepName, WebAuthnKey] = field(default_factory=dict)
    challenges: dict[StepName, str] = field(default_factory=dict, repr=False)
    metadata: dict[str, str] = field(default_factory=dict)
    user_agent: str = ""
    sids: tuple[str, ...] = ()

    @property
    def is_proven(self) -> bool:
        return bool({StepName.PASSWORD, StepName.PASSKEY} & self.passed.keys())

    def expires_at(self, lifetimes: Lifetimes) -> float:
        return self.ends_at if self.is_proven else min(self.ends_at, self.created + lifetimes.auth_request)

    def is_live(self, now: float, lifetimes: Lifetimes) -> bool:
        """False also while the clock is before its last change."""
        return now < self.expires_at(lifetimes) and not is_issued_ahead(self.changed, now)

    def of_user(self, user: User, now: float) -> LoginSession:
        return replace(
            self,
            user_id=user.user_id,
            org_id=user.org_id,
            login_name=user.login_name,
            display_name=user.display_name,
            named_at=self.named_at or now,
        )

    def with_passed(self, step: StepName, user: User, now: float) -> LoginSession:
        """The session after a check; factors from before a change of credentials are removed."""
        earlier = self.passed if self.trust_epoch == user.trust_epoch else {}
        return replace(self.of_user(user, now), passed={**earlier, step: now}, trust_epoch=user.trust_epoch)

    def with_key(self, key: WebAuthnKey, user: User, now: float) -> LoginSession:
        return replace(self.with_passed(key.step, user, now), keys={**self.keys, key.step: key})

    def without_challenge(self, step: StepName) -> LoginSession:
        return replace(self, challenges={other: name for other, name in self.challenges.items() if other is not step})


@dataclass(frozen=True, slots=True)
class FirstFactor:
    step: StepName
    at: float


def first_factor_of(session: LoginSession, policy: LoginPolicy) -> FirstFactor | None:
    """Returns the password or the passkey, whichever was verified last."""
    allowed = {StepName.PASSWORD: _allows_password(policy), StepName.PASSKEY: may_begin_with_passkey(policy)}
    steps = [step for step, is_allowed in allowed.items() if is_allowed]
    found = [FirstFactor(step, session.passed[step]) for step in steps if step in session.passed]
    return max(found, key=lambda one: one.at, default=None)


def _allows_password(policy: LoginPolicy) -> bool:
    """Users decides about owners whom the rules exempt, when it verifies the password."""
    return policy.password_sign_in or policy.exempt_owners


def progress_of(
    session: LoginSession, user: User, first: FirstFactor, policy: LoginPolicy, second_after: float
) -> Progress:
    """Returns the progress as after the login pages. Second factors count if verified after `second_after`."""
    counting = {
        step: at
        for step, at in session.passed.items()
        if step is not StepName.PASSWORD
        and (step is first.step or (at > second_after and is_allowed(_factor_of(session, step), policy)))
    }
    amr: tuple[str, ...] = (PASSWORD,) if first.step is StepName.PASSWORD else ()
    for step in counting:
        key = session.keys.get(step)
        amr = add_second_factor(amr, *methods_of(step, device_bound=bool(key and key.device_bound)))
    return Progress(
        login_name=user.login_name,
        shown=short_name(user.login_name),
        user_id=user.user_id,
        amr=amr,
        second=bool(counting),
        device_bound=any(session.keys[step].device_bound for step in counting if step in session.keys),
        own_page=OwnPage(session.id, first.at, max(counting.values(), default=0.0)),
        epoch=user.trust_epoch,
    )


def _factor_of(session: LoginSession, step: StepName) -> Factor:
    return _FACTORS[step] if step in _FACTORS else session.keys[step].kind


@dataclass(frozen=True, slots=True)
class LoginProof:
    """The result of a sign-in, for the browser in which its request began; `trust_epoch` is of the user then.

    `after_reset`: it is of a new password (decision 0128) and not of a login session.
    """

    request_id: str
    trust_epoch: int
    progress: Progress
    after_reset: bool = False
