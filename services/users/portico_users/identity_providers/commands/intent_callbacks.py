"""Callbacks of intents and of tests, which share the addresses of sign-ins."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import FindIntent, IntentFlow, IntentReturned, ProviderKind, ReturnIntent

from portico_users.identity_providers.commands.idp_intents import INTENT_NOT_FOUND, FinishIntent
from portico_users.identity_providers.commands.provider_tests import FinishTest
from portico_users.identity_providers.federation.intents import Intent, Intents


@dataclass(frozen=True, slots=True)
class IntentQuestions:
    intents: Intents
    finish_intent: FinishIntent
    finish_test: FinishTest

    async def find(self, ask: FindIntent) -> IntentFlow:
        intent = await self._load(ask.state)
        return IntentFlow(
            provider_id=intent.idp_id,
            kind=intent.kind,
            user_agent=intent.user_agent,
            jwt_header=intent.jwt_header,
            form_post=intent.form_post,
        )

    async def finish(self, ask: ReturnIntent) -> IntentReturned:
        intent = await self._load(ask.state)
        if (intent.kind is ProviderKind.JWT) != bool(ask.jwt):
            raise INTENT_NOT_FOUND.error(part="kind")
        finish = self.finish_test if intent.is_test else self.finish_intent
        return IntentReturned(url=await finish(ask.state, ask.provider_id, ask.parameters, ask.jwt))

    async def _load(self, state: str) -> Intent:
        intent = await self.intents.find_begun(state)
        if intent is None:
            raise INTENT_NOT_FOUND.error()
        return intent
