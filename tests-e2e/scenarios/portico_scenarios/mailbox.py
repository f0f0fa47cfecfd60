"""The emails of a stack as stored by the mail catcher: one file each."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import HeaderParser
from pathlib import Path
from typing import Final

from portico_harness.eventually import eventually

_CODE: Final = re.compile(r"^\s*([0-9A-Z]{6})\s*$", re.MULTILINE)


async def mails_to(directory: Path, address: str, count: int = 1) -> list[EmailMessage]:
    """Waits for a number of emails to an address; returns all of them in order of arrival."""

    async def read() -> list[EmailMessage]:
        return await asyncio.to_thread(_mails, directory, address)

    return await eventually(read, lambda mails: len(mails) >= count)


async def mailed_code(directory: Path, address: str, count: int = 1) -> str:
    mail = (await mails_to(directory, address, count))[-1]
    body = mail.get_body(("plain",))
    text = body.get_content() if body else ""
    found = _CODE.findall(text)
    assert len(found) == 1, text
    code: str = found[0]
    return code


async def recipients(directory: Path) -> Counter[str]:
    def read() -> Counter[str]:
        parsed = (HeaderParser(policy=policy.default).parsestr(path.read_text()) for path in directory.glob("*.eml"))
        return Counter(str(mail["To"]) for mail in parsed)

    return await asyncio.to_thread(read)


def _mails(directory: Path, address: str) -> list[EmailMessage]:
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in sorted(directory.glob("*.eml"))]
    return [mail for mail in mails if isinstance(mail, EmailMessage) and address in str(mail["To"])]
