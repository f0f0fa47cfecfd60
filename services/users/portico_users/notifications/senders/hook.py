"""Posts a message to a hook, signed like webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.notifications.email.transport import NotNow, Undeliverable
from portico_users.notifications.senders.secrets import secrets_in_force
from portico_users.notifications.senders.sender import Sender
from portico_users.values.timestamps import rfc_3339
from portico_users.webhooks.sender import Post
from portico_users.webhooks.webhook import headers_of

_NEVER: Final = (400, 422)
"""Statuses of messages that the receiver will never send; all others are retried."""


@dataclass(frozen=True, slots=True)
class Hook:
    post: Post
    sealer: SecretSealer
    clock: Clock

    async def send(self, sender: Sender, id: str, type: str, data: Mapping[str, object]) -> None:
        """Returns once the receiver accepted it. Raises `Undeliverable` or `NotNow`; ``id`` is that of all attempts."""
        now = self.clock.now()
        body = msgspec.json.encode({"type": type, "timestamp": rfc_3339(now), "data": data}).decode()
        try:
            headers = headers_of(id, body, secrets_in_force(sender, self.sealer, now), now)
            status = (await self.post.post(sender.url, body.encode(), headers)).status
        except OutboundError as error:
            raise NotNow(f"the hook does not respond: {error}"[:200]) from None
        except UnsealingFailed:
            raise NotNow("the signing secret cannot be decrypted") from None
        if status in _NEVER:
            raise Undeliverable(f"the hook refused the message with status {status}")
        if not 200 <= status < 300:
            raise NotNow(f"the hook responded with status {status}")
