"""A user of an old system signs in through the hook of the guide."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from pathlib import Path
from typing import Any, Final

import pytest
from portico_contracts.apply import Document, Organization, Webhook
from portico_scenarios.relying_party import begin
from portico_scenarios.serving import serving
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

GUIDE: Final = Path(__file__).parents[1] / "docs/guides/lazy-migration.md"
SECRET: Final = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
DOMAIN: Final = "migrating.example.test"
HEDY: Final = f"hedy@{DOMAIN}"
PASSWORD: Final = "frequency hopping"


def _hook_of_the_guide(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with sqlite3.connect(folder / "users.db") as database:
        database.execute("CREATE TABLE users (id, email, first_name, last_name, salt, hash)")
        hash = hashlib.sha256(f"salt{PASSWORD}".encode()).hexdigest()
        database.execute("INSERT INTO users VALUES (?, ?, ?, ?, ?, ?)", (17, HEDY, "Hedy", "Lamarr", "salt", hash))
    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    monkeypatch.setenv("OLD_DATABASE", str(folder / "users.db"))
    [program] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(program, GUIDE, "exec", dont_inherit=True), names)  # noqa: S102 - it is our own
    return names["app"]


async def test_user_of_the_old_system_signs_in(
    world: World, old_system_listener: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong password is refused, the right one signs in, and again without the old system (decision 0103)."""
    host, port = old_system_listener.getsockname()
    hook = Webhook(
        name="old system", url=f"http://{host}:{port}/portico", event_types=("migration.signin",), secret=SECRET
    )
    home = Organization(id="e2e-migrating", name="Migrating", primary_domain=DOMAIN, webhooks=(hook,))
    await world.stack.apply(Document(organizations=(home,)))
    first, second = (begin(world.metadata, world.clients["basic"]) for _ in range(2))
    async with serving(_hook_of_the_guide(tmp_path, monkeypatch), old_system_listener), world.agent() as agent:
        wrong = await agent.sign_in(first.url, HEDY, "not that")
        right = await agent.press("password-submit", password=PASSWORD)
    async with world.agent() as agent:
        again = await agent.sign_in(second.url, HEDY, PASSWORD)

    assert wrong.shows("login-problem")
    assert code_in(right)
    assert code_in(again)
