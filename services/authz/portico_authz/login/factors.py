"""Second factors and passkeys, each with its step in `steps`. users verifies, counts and invalidates the responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from portico_contracts.login import Answer, Problem, SecondFactorAnswer
from portico_contracts.login_steps.otp_email import OtpEmailAnswer
from portico_contracts.login_steps.otp_sms import OtpSmsAnswer
from portico_contracts.step_names import StepName
from portico_contracts.users import User
from portico_oauth.assurance import add_second_factor
from portico_oauth.errors import ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import WEBAUTHN_STEPS, is_allowed, may_begin_with_passkey, methods_of
from portico_authz.domain.progress import ChosenFactor, FactorChallenge, Progress, TrustChosen
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.key_challenges import challenge_of
from portico_authz.login.login_step import STEPS, prepare_step
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import alternative_factors, trust_days
from portico_authz.login.sent_codes import not_sent
from portico_authz.login.state import Login, Transition
from portico_authz.login.verifiers import Attempted, Verified
from portico_authz.session.direct_sign_in import with_passkey


class Proof(NamedTuple):
    user: User
    device_bound: bool


async def second_factor(deps: Dependencies, login: Login) -> dict[str, Any]:
    """The fields of `SecondFactorStep`."""
    return {"others": await alternative_factors(deps, login), "trust_days": await trust_days(deps, login)}


async def submit_factor(deps: Dependencies, login: Login, answer: SecondFactorAnswer) -> Transition:
    if answer.other is not None:
        return await _choose_other(deps, login, answer.other, answer.languages)
    return await prove_factor(deps, login, answer, trust=answer.trust)


@dataclass(frozen=True, slots=True)
class SentCode:
    """A code that is sent when its page is opened, and again when the page requests another one."""

    send: Callable[[Dependencies, str, tuple[str, ...]], Awaitable[FactorChallenge]]

    async def begin(self, deps: Dependencies, login: Login, languages: tuple[str, ...], _owner: str) -> Transition:
        return Transition(login) if challenge_of(login) else await self._send(deps, login, languages)

    async def submit(self, deps: Dependencies, login: Login, answer: OtpEmailAnswer | OtpSmsAnswer) -> Transition:
        if answer.resend and answer.other is None:
            return await save_progress(deps, await self._send(deps, login, answer.languages))
        return await submit_factor(deps, login, answer)

    async def _send(self, deps: Dependencies, login: Login, languages: tuple[str, ...]) -> Transition:
        try:
            challenge = await self.send(deps, login.progress.user_id, languages)
        except ServiceError as error:
            return not_sent(login, error)
        return Transition(login.at(login.step, replace(login.progress, asked=challenge)))


async def prove_factor(deps: Dependencies, login: Login, answer: Answer, *, trust: bool = False) -> Transition:
    value = answer.single_use
    if not value:
        return Transition(login, _problem_of(login.step))
    proof = await verify_factor(deps, login, login.progress.user_id, value)
    if isinstance(proof, Transition):
        return proof
    progress = _with_factor(login.step, login.progress, proof)
    if trust:
        progress = replace(progress, trust=TrustChosen(login.step, proof.user.trust_epoch))
    return await continue_login(deps, login, progress, proof.user, answer.languages)


async def verify_allowed(deps: Dependencies, step: StepName, user_id: str, challenge: str, value: str) -> Verified:
    """A factor of another user, or one that the user's organization does not allow, authenticates no user."""
    verify = STEPS[step].verify
    if verify is None:
        raise LookupError(f"the step {step} verifies no factor")
    verified = await verify(deps, user_id, challenge, value)
    user = verified.user
    if user is None or user_id not in ("", user.user_id):
        return verified._replace(user=None)
    policy = await deps.users_client.login_policy(user.org_id)
    allowed = may_begin_with_passkey(policy) if step is StepName.PASSKEY else is_allowed(verified.factor, policy)
    return verified if allowed else verified._replace(user=None, is_refused=True)


async def verify_factor(deps: Dependencies, login: Login, user_id: str, value: str) -> Proof | Transition:
    """Counts as an attempt at users (LG-07); `user_id` is empty for a passkey, which identifies its owner."""
    challenge = login.progress.asked.name if login.progress.asked else ""
    if login.step in WEBAUTHN_STEPS:
        # The challenge is used up whatever the result, even if this replica fails before the page is reloaded.
        without = login.at(login.step, replace(login.progress, asked=None))
        login = (await save_progress(deps, Transition(without))).login

    device_bound = False

    async def verify() -> User | Attempted:
        nonlocal device_bound
        verified = await verify_allowed(deps, login.step, user_id, challenge, value)
        device_bound = verified.device_bound
        return verified.result(user_id)

    result = await attempt(deps, login, verify())
    if isinstance(result, User):
        return Proof(result, device_bound)
    failed = result or Transition(login, _problem_of(login.step))
    if login.step not in WEBAUTHN_STEPS:
        return failed
    renewed = await save_progress(deps, await prepare_step(deps, login, (), user_id))
    return replace(failed, login=renewed.login)


def _problem_of(step: StepName) -> Problem:
    return Problem.WRONG_KEY if step in WEBAUTHN_STEPS else Problem.WRONG_CODE


async def _choose_other(deps: Dependencies, login: Login, other: StepName, languages: tuple[str, ...]) -> Transition:
    if other not in await alternative_factors(deps, login):
        return Transition(login)
    chosen = login.at(other, replace(login.progress, under_way=ChosenFactor(other)))
    return await save_progress(deps, await prepare_step(deps, chosen, languages))


def _with_factor(step: StepName, progress: Progress, proof: Proof) -> Progress:
    """Returns the progress after a verified factor. A passkey with user verification counts as two factors."""
    if step is StepName.PASSKEY:
        return replace(with_passkey(proof.user, device_bound=proof.device_bound), external=progress.external)
    bound = progress.device_bound or proof.device_bound
    amr = add_second_factor(progress.amr, *methods_of(step, device_bound=proof.device_bound))
    return replace(progress, amr=amr, second=True, asked=None, under_way=None, device_bound=bound)
