"""Imported hashes at the accepted limits: concurrent sign-ins with them do not block other sign-ins."""

from __future__ import annotations

import asyncio
import hashlib
from base64 import b64encode
from typing import Final

import bcrypt
import pytest
from portico_scenarios.administrator import PASSWORD, Administrator
from portico_scenarios.agent import Page
from portico_scenarios.participants import ALICE, KnownUser
from portico_scenarios.relying_party import begin
from portico_scenarios.retrying_user import as_told
from portico_scenarios.world import World, code_in

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ADD = "portico.user.v2.UserService.AddHumanUser"
PEOPLE: Final = 20
RETRIES: Final = 6
"""Higher than the one retry needed on an idle machine."""


def _b64(data: bytes) -> str:
    return b64encode(data).rstrip(b"=").decode()


def _hashes() -> list[str]:
    """Returns hashes at the limits: bcrypt 14, PBKDF2 with 2,000,000 rounds, scrypt with 128 MiB."""
    typed, salt = PASSWORD.encode(), b"salt of 16 bytes"
    derived = hashlib.pbkdf2_hmac("sha512", typed, salt, 2_000_000)
    memory = hashlib.scrypt(typed, salt=salt, n=2**17, r=8, p=1, maxmem=2**28, dklen=32)
    return [
        bcrypt.hashpw(typed, bcrypt.gensalt(14)).decode(),
        f"$pbkdf2-sha512$2000000${_b64(salt)}${_b64(derived)}",
        f"$scrypt$ln=17,r=8,p=1${_b64(salt)}${_b64(memory)}",
    ]


async def _sign_in(world: World, person: KnownUser) -> tuple[Page, int]:
    """Returns the final page and the number of retries, each after Retry-After."""
    retries = 0
    async with world.agent() as agent:
        await agent.open(begin(world.metadata, world.clients["basic"]).url)
        form = await agent.press("loginname-submit", loginname=person.login_name)
        page = await agent.press("password-submit", password=person.password)
        while page.status == 503 and retries < RETRIES:
            await as_told(page.response)
            retries, agent.page = retries + 1, form
            page = await agent.press("password-submit", password=person.password)
    return page, retries


async def test_costly_sign_ins_do_not_block_others(world: World, admin: Administrator) -> None:
    """All 20 concurrent sign-ins succeed after retries, and no other sign-in fails meanwhile (RX-08)."""
    hashes = _hashes()
    for number in range(PEOPLE):
        body = admin.human(f"costly{number}", hashedPassword={"hash": hashes[number % len(hashes)]})
        del body["password"]
        assert (await admin.json(ADD, body)).code == 0
    people = [admin.person(f"costly{number}") for number in range(PEOPLE)]
    costly = asyncio.gather(*(_sign_in(world, person) for person in people))
    others = []
    while not costly.done():
        others.append(await _sign_in(world, ALICE))
    ended = await costly

    assert all(code_in(page) for page, _ in ended)
    assert all(code_in(page) for page, _ in others)
    assert [retries for _, retries in others] == [0] * len(others)
