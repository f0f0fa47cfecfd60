"""Takes mails from whoever sends one."""

from __future__ import annotations

import asyncio

from aiosmtpd.smtp import SMTP, Envelope, Session

from portico_stack.mail_catcher.shelf import Shelf


class Keep:
    """Stores each message that arrives."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - the library's name
        """Stores one message; the name of the method is the library's."""
        content = envelope.content or b""
        await asyncio.to_thread(self._shelf.put, content if isinstance(content, bytes) else content.encode())
        return "250 kept"
