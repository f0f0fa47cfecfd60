from __future__ import annotations

import asyncio

from aiosmtpd.smtp import SMTP, Envelope, Session

from portico_stack.mail_catcher.message_store import MessageStore


class MessageHandler:
    def __init__(self, message_store: MessageStore) -> None:
        self._messages = message_store

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - the library's name
        content = envelope.content or b""
        await asyncio.to_thread(self._messages.save, content if isinstance(content, bytes) else content.encode())
        return "250 kept"
