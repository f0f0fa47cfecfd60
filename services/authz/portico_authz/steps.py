"""The order of the steps of a login, in one table.

A step is needed as long as its question is open; the first open one is asked next. A new step is a word in
`StepName`, a fact here, and a row in its place: an identity provider's beside the password and the passkey, a second
factor's behind them and before everything else, so that nothing can be changed or read by half a proof (LG-08).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from portico_contracts.login import StepName


@dataclass(frozen=True, slots=True)
class Proven:
    """Somebody proved to be the owner of an account; what is still demanded of them.

    Attributes:
        factor: the step of the second factor that is still asked for, or the one that says that it cannot be; None
            when none is demanded, or it is proven.
        must_change_password: the account says so, or its organization, of a password that was set so long ago.
        must_verify_mail: the organization demands a verified address, and this one is not.
    """

    factor: StepName | None = None
    must_change_password: bool = False
    must_verify_mail: bool = False


@dataclass(frozen=True, slots=True)
class LoginFacts:
    """What is settled of a login that is under way.

    Attributes:
        must_choose: there are several accounts to go on with, and nobody picked one.
        registering: an account is asked for, and may be.
        registered: that was done; the code mailed to its address is not entered yet.
        passkey: a passkey is to say who it is.
        login_name: as typed and accepted; accepted whether or not anybody has it (LG-01).
        proven: None as long as nobody proved anything.
    """

    must_choose: bool = False
    registering: bool = False
    registered: bool = False
    passkey: bool = False
    login_name: str = ""
    proven: Proven | None = None


def _must_choose(facts: LoginFacts) -> bool:
    return _is_not_proven(facts) and facts.must_choose


def _is_registering(facts: LoginFacts) -> bool:
    return _is_not_proven(facts) and facts.registering


def _is_passkey_asked(facts: LoginFacts) -> bool:
    return _is_not_proven(facts) and facts.passkey


def _is_nobody_named(facts: LoginFacts) -> bool:
    return _is_not_proven(facts) and not facts.login_name


def _is_not_proven(facts: LoginFacts) -> bool:
    return facts.proven is None and not facts.registered


def _is_factor(step: StepName) -> Callable[[LoginFacts], bool]:
    return lambda facts: facts.proven is not None and facts.proven.factor is step


def _must_change_password(facts: LoginFacts) -> bool:
    return facts.proven is not None and facts.proven.must_change_password


def _must_verify_mail(facts: LoginFacts) -> bool:
    return facts.registered if facts.proven is None else facts.proven.must_verify_mail


STEPS: Final[tuple[tuple[StepName, Callable[[LoginFacts], bool]], ...]] = (
    (StepName.SELECT_ACCOUNT, _must_choose),
    (StepName.REGISTER, _is_registering),
    (StepName.PASSKEY, _is_passkey_asked),
    (StepName.LOGIN_NAME, _is_nobody_named),
    (StepName.PASSWORD, _is_not_proven),
    (StepName.SECURITY_KEY, _is_factor(StepName.SECURITY_KEY)),
    (StepName.TOTP, _is_factor(StepName.TOTP)),
    (StepName.OTP_EMAIL, _is_factor(StepName.OTP_EMAIL)),
    (StepName.RECOVERY_CODE, _is_factor(StepName.RECOVERY_CODE)),
    (StepName.FACTOR_MISSING, _is_factor(StepName.FACTOR_MISSING)),
    (StepName.CHANGE_PASSWORD, _must_change_password),
    (StepName.VERIFY_EMAIL, _must_verify_mail),
)


def next_step(facts: LoginFacts) -> StepName:
    """The first step whose question is open."""
    return next((step for step, is_open in STEPS if is_open(facts)), StepName.DONE)
