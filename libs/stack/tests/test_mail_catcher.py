"""The mail catcher keeps what it gets."""

from __future__ import annotations

import asyncio
import smtplib
from email.message import EmailMessage
from pathlib import Path

import pytest
from portico_stack.ports import free_port
from portico_stack.processes import Process
from portico_stack.servers.mail import MailCatcher


@pytest.mark.servers
async def test_mails_are_kept_as_files(tmp_path: Path) -> None:
    """Each in a file that mail programs open."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "portico@localhost", "ada@acme.example", "Your code"
    mail.set_content("K7Q2ZX")
    catcher = MailCatcher(tmp_path / "mail", free_port())
    process = Process(catcher.program(), tmp_path, print)
    await process.start()

    def send() -> None:
        with smtplib.SMTP("127.0.0.1", catcher.port) as smtp:
            smtp.send_message(mail)

    try:
        await asyncio.to_thread(send)
    finally:
        await process.stop(2)

    [file] = (tmp_path / "mail").glob("*.eml")
    assert b"Subject: Your code" in file.read_bytes()
