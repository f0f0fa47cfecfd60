"""Challenges of WebAuthn, for passkeys and security keys; users creates and verifies them."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.step_names import StepName
from portico_contracts.users import BEGIN_ASSERTION, FINISH_ASSERTION, BeginAssertion, Factor, FinishAssertion

from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import RENEW_SECONDS
from portico_authz.domain.progress import FactorChallenge
from portico_authz.login.state import Login
from portico_authz.login.verifiers import Verified


def challenge_of(login: Login) -> FactorChallenge | None:
    asked = login.progress.asked
    return asked if asked and asked.step is login.step else None


def webauthn_options(login: Login) -> str:
    challenge = challenge_of(login)
    return challenge.options if challenge else ""


def has_fresh_challenge(deps: Dependencies, login: Login) -> bool:
    challenge = challenge_of(login)
    return challenge is not None and deps.clock.now() < challenge.renew_at


def new_challenge(deps: Dependencies, step: StepName, name: str, options: str) -> FactorChallenge:
    return FactorChallenge(step, name, options, renew_at=deps.clock.now() + RENEW_SECONDS)


async def begin_assertion(deps: Dependencies, step: StepName, question: BeginAssertion) -> FactorChallenge:
    begun = await deps.bus.call(BEGIN_ASSERTION, question)
    return new_challenge(deps, step, begun.assertion, begun.options)


def at_challenge(login: Login, challenge: FactorChallenge) -> Login:
    return login.at(login.step, replace(login.progress, asked=challenge))


async def finish_assertion(deps: Dependencies, user_id: str, challenge: str, credential: str) -> Verified:
    question = FinishAssertion(assertion=challenge, credential=credential, user_id=user_id)
    finished = await deps.bus.call(FINISH_ASSERTION, question) if challenge else None
    if finished is None or (not user_id and not finished.user_verified):
        return Verified(None, Factor.PASSKEY)
    return Verified(finished.user, finished.kind, finished.device_bound, finished.user_verified)
