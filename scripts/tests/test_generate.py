from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from generate_documents import documents
from generated_code.gateway_words import gateway_words
from generated_code.messages import messages
from generated_files import ROOT, Generated, differing, write
from generated_pages.errors_page import all_error_codes, errors_page
from generated_pages.login_api import describe_login_api
from generated_pages.markdown import table
from generated_pages.messages_page import messages_page
from generated_pages.routes_page import routes_page
from generated_pages.settings_page import settings_page
from portico_contracts.catalogue import EVENTS, RPCS
from portico_contracts.http import GATEWAY
from portico_contracts.login_steps import ANSWERS, STEPS
from portico_contracts.step_names import StepName
from portico_fakes.authz_service import ISSUER, LOGIN_KEY, PASSWORD, AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_runtime.settings.loading import all_sections
from portico_web.cookies import BrowserCookie


def test_every_subject_is_on_the_messages_page() -> None:
    page = messages_page()

    assert all(f"`{entry}`" in page for entry in [*(rpc.subject for rpc in RPCS), *(event.subject for event in EVENTS)])


def test_every_error_code_is_on_the_errors_page() -> None:
    page, facts = errors_page(), all_error_codes()

    assert {"OAUTH", "WEB", "KEYS", "PORT"} <= {error_code.id.partition("-")[0] for error_code in facts}
    assert all(f"`{error_code.id}`" in page for error_code in facts)


def test_every_path_is_on_the_routes_page() -> None:
    assert all(f"`{route.path}`" in routes_page() for route in GATEWAY)


def test_every_setting_is_on_the_page_and_no_secret() -> None:
    page = settings_page()
    fields = {name for section in all_sections() for name in section.model_fields}

    assert all(f"`PORTICO_{name.upper()}`" in page for name in fields)
    assert "**" not in page


def test_bar_in_a_cell_is_escaped() -> None:
    assert table(["a"], [["x|y\nz"]]).splitlines()[-1] == "| x\\|y z |"


def test_missing_changed_and_stale_files_are_differences(tmp_path: Path) -> None:
    """All three differences are detected and repaired, and nothing else is touched."""
    docs = tmp_path / "docs" / "generated"
    docs.mkdir(parents=True)
    (docs / "same.md").write_text("same")
    (docs / "changed.md").write_text("old")
    (docs / "stale.md").write_text("stale")
    (tmp_path / "docs" / "guide.md").write_text("by hand")
    wanted = {
        f"docs/generated/{name}.md": text for name, text in (("same", "same"), ("changed", "new"), ("missing", "m"))
    }
    generated = Generated(("docs/generated/**/*",), wanted)
    before = differing(tmp_path, generated)
    write(tmp_path, generated)

    assert before == ["docs/generated/changed.md", "docs/generated/missing.md", "docs/generated/stale.md"]
    assert differing(tmp_path, generated) == []
    assert (tmp_path / "docs" / "guide.md").read_text() == "by hand"


def test_messages_are_written_without_importing_services() -> None:
    """Services import the messages, so generating messages must not import a service."""
    found = "import sys, generate; print(*(name for name in sys.modules if name.startswith('portico_')))"
    said = subprocess.run([sys.executable, "-c", found], cwd=ROOT / "scripts", capture_output=True, check=True)

    catalogues = {
        *("portico_contracts", "portico_contracts.languages"),
        *(
            f"portico_web.{name}"
            for name in ("catalogue", "cookies", "headers", "language_choice", "languages", "po_file")
        ),
        *("portico_oauth", "portico_oauth.errors", "portico_web"),
    }
    assert set(said.stdout.decode().split()) == catalogues


LOGIN_API = {
    "/login/v1/requests/{id}/step",
    "/login/v1/requests/{id}/answer",
    "/login/v1/requests/{id}/passkey",
    "/login/v1/logouts/{id}/ask",
    "/login/v1/logouts/{id}/confirm",
    "/login/v1/accounts",
    "/login/v1/device",
    "/login/v1/links/verify-mail",
    "/login/v1/links/check",
    "/login/v1/links/set-password",
    "/login/v1/links/set-password-by-code",
    "/login/v1/links/send-password",
    "/login/v1/links/begin-invited-passkey",
    "/login/v1/links/finish-invited-passkey",
    "/login/v1/links/begin-passkey",
    "/login/v1/links/finish-passkey",
    "/login/v1/links/get-first-run",
    "/login/v1/links/begin-first-run",
    "/login/v1/links/finish-first-run",
    "/login/v1/links/begin-recovery",
    "/login/v1/links/policy",
    "/login/v1/external/return",
    "/login/v1/external/park",
    "/login/v1/external/jwt-header",
    "/login/v1/external/jwt",
}


async def test_every_login_api_operation_is_described(clock: FrozenClock, bus: MemoryBus) -> None:
    """The document describes every served operation with every member of every message, and requires the key."""
    document = json.loads(describe_login_api())
    schemas = document["components"]["schemas"]
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(AuthzService(clock, bus).app), base_url="http://authz.test"
    ) as caller:
        heard = {path: (await caller.post(path.replace("{id}", "x"), content=b"{}")).status_code for path in LOGIN_API}

    assert set(document["paths"]) == LOGIN_API
    assert set(heard.values()) == {401}
    assert all(one["post"]["security"] == [{"loginApiKey": []}] for one in document["paths"].values())
    for kind in (*STEPS.values(), *ANSWERS.values()):
        tag = str(kind.__struct_config__.tag_field)
        assert set(schemas[kind.__name__]["properties"]) == {tag, *kind.__struct_fields__}
    assert len(schemas["Step"]["anyOf"]) == len(schemas["Answer"]["anyOf"]) == len(StepName)
    assert schemas["StepName"]["enum"] == sorted(StepName)
    assert "$defs" not in json.dumps(document)


def test_example_of_the_guide_signs_a_user_in(
    clock: FrozenClock, bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTICO_AUTHZ_URL", ISSUER)
    monkeypatch.setenv("PORTICO_LOGIN_API_KEY", LOGIN_KEY)
    monkeypatch.setenv("COOKIE_NAME", BrowserCookie(ISSUER).name)
    example = (ROOT / "docs/guides/own-login-pages.md").read_text().split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(compile(example, "own-login-pages.md", "exec"), names)  # noqa: S102 - our own document
    authz = AuthzService(clock, bus)
    names["AUTHZ"]._transport = httpx.ASGITransport(authz.app)

    async def sign_in() -> httpx.Response:
        browser = authz.browser()
        pages = httpx.AsyncClient(transport=httpx.ASGITransport(names["app"]), base_url=ISSUER)
        address = f"/ui/login?request={await browser.begin()}"
        pages.cookies.set(BrowserCookie(ISSUER).name, browser.handle)
        answer = await pages.get(address)
        for value in ("ada", PASSWORD):
            csrf, step = re.findall(r"value='([^']+)'", answer.text)
            answer = await pages.post(address, data={"csrf": csrf, "step": step, "value": value})
        return answer

    done = asyncio.run(sign_in())

    assert done.status_code == 200
    assert 'content="0;url=/oauth/v2/authorize/resume?request=' in done.text
    assert done.headers["set-cookie"].startswith("__Host-portico-ua-")


LOCKS = {"requirements.lock", "package-lock.json", "go.sum"}


@pytest.mark.slow
def test_generated_files_are_marked_in_gitattributes() -> None:
    """`.gitattributes` marks exactly the generated files, so that a review hides them."""
    generated = {*messages(), *gateway_words(), *documents().wanted}
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode()
    names = sorted({*generated, *filter(None, tracked.split("\0"))})
    told = subprocess.run(
        ["git", "check-attr", "--stdin", "-z", "linguist-generated"],
        cwd=ROOT, input="\0".join(names).encode(), check=True, capture_output=True,
    ).stdout.decode().split("\0")  # fmt: skip
    marked = {name for name, value in zip(told[::3], told[2::3], strict=False) if value == "set"}

    assert marked - {name for name in names if Path(name).name in LOCKS} == generated
