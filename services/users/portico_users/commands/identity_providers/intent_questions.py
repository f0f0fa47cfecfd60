"""Answers authz about intents, whose browsers come back to the callback addresses that sign-ins have (decision 0051)."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import FindIntent, IntentFlow, IntentReturned, ProviderKind, ReturnIntent

from portico_users.commands.command import Assembled
from portico_users.commands.identity_providers.idp_intents import INTENT_NOT_FOUND, FinishIntent
from portico_users.federation.intents import Intent, Intents


@dataclass(frozen=True, slots=True)
class IntentQuestions(Assembled):
    """Answers `FIND_INTENT` and `RETURN_INTENT`."""

    intents: Intents
    finish_intent: FinishIntent

    async def find(self, ask: FindIntent) -> IntentFlow:
        """What is to come back; USER-985 for an intent that waits for nothing."""
        intent = await self._load(ask.state)
        return IntentFlow(
            provider_id=intent.idp_id,
            kind=intent.kind,
            user_agent=intent.user_agent,
            jwt_header=intent.jwt_header,
            form_post=intent.form_post,
        )

    async def finish(self, ask: ReturnIntent) -> IntentReturned:
        """Where the browser goes; USER-985 also for what is not of the kind the provider answers with. As `FinishIntent`."""
        intent = await self._load(ask.state)
        if (intent.kind is ProviderKind.JWT) != bool(ask.jwt):
            raise INTENT_NOT_FOUND.error(part="kind")
        return IntentReturned(url=await self.finish_intent(ask.state, ask.provider_id, ask.parameters, ask.jwt))

    async def _load(self, state: str) -> Intent:
        intent = await self.intents.find_begun(state)
        if intent is None:
            raise INTENT_NOT_FOUND.error()
        return intent
