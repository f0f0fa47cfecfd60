"""The mail catcher stores received messages, and shows them only to users of this machine."""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path

import httpx
import pytest
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.mail_catcher.message_store import MessageStore
from portico_stack.mail_catcher.pages import create_app
from portico_stack.processes.programs import Process
from portico_stack.servers.apps import LocalApps
from portico_stack.servers.mail import MailCatcher

HOSTILE = "<script>alert(1)</script>"


def _mail(to: str = "ada@acme.example", subject: str = "Your code", html: str = "") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "portico@localhost", to, subject
    mail.set_content("K7Q2ZX\nhttps://id.example/ui?code=K7Q2ZX&x=1\nAt Acme (https://id.example).\n")
    if html:
        mail.add_alternative(html, subtype="html")
    return mail


@pytest.fixture
def message_store(tmp_path: Path) -> MessageStore:
    return MessageStore(tmp_path)


@pytest.fixture
async def pages(message_store: MessageStore) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(message_store))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8025") as client:
        yield client


@pytest.mark.servers
async def test_emails_are_stored_as_files_and_listed(tmp_path: Path) -> None:
    """Each message is a file that email programs open, and the page lists it at once."""
    catcher = MailCatcher(tmp_path / "mail", free_port(), free_port())
    process = Process(LocalApps(free_port(), mail=catcher).program(), tmp_path, print)
    await process.start()

    def send() -> None:
        with smtplib.SMTP("127.0.0.1", catcher.port) as smtp:
            smtp.send_message(_mail())

    try:
        await asyncio.to_thread(send)
        async with plain_http(catcher.page) as client:
            listed = (await client.get("/api/mails", params={"to": "ADA@acme"})).json()
    finally:
        await process.stop(2)

    [file] = (tmp_path / "mail").glob("*.eml")
    assert b"Subject: Your code" in file.read_bytes()
    assert [mail["subject"] for mail in listed["mails"]] == ["Your code"]


async def test_images_of_a_message_are_shown(message_store: MessageStore, pages: httpx.AsyncClient) -> None:
    """As email programs show them: what the message itself contains, and nothing from elsewhere."""
    mail = _mail(html='<img src="cid:logo@portico"><img src="https://tracker.example/1.png">')
    html = mail.get_body(("html",))
    assert html is not None
    html.add_related(b"picture", "image", "png", cid="<logo@portico>")
    message_store.save(bytes(mail))
    [one] = (await pages.get("/api/mails")).json()["mails"]
    shown = await pages.get(f"/mails/{one['id']}/html")

    assert 'src="data:image/png;base64,cGljdHVyZQ=="' in shown.text
    assert "img-src data:;" in shown.headers["content-security-policy"]


async def test_api_lists_gets_and_deletes(message_store: MessageStore, pages: httpx.AsyncClient) -> None:
    """The API lists the newest first, optionally by recipient, and a deleted message is not found."""
    for number in range(3):
        message_store.save(_mail(f"person-{number}@acme.example", html="<b>K7Q2ZX</b>").as_bytes())
    listed = (await pages.get("/api/mails")).json()["mails"]
    [one] = (await pages.get("/api/mails", params={"to": "person-1@"})).json()["mails"]
    mail = (await pages.get(f"/api/mails/{one['id']}")).json()
    source = await pages.get(f"/api/mails/{one['id']}/source")

    assert [mail["to"][:8] for mail in listed] == ["person-2", "person-1", "person-0"]
    assert len((await pages.get("/api/mails", params={"limit": "2"})).json()["mails"]) == 2
    assert mail["text"].startswith("K7Q2ZX")
    assert mail["html"].strip() == "<b>K7Q2ZX</b>"
    assert source.headers["Content-Disposition"].startswith("attachment")
    assert (await pages.delete(f"/api/mails/{one['id']}")).status_code == 204
    assert (await pages.get(f"/api/mails/{one['id']}")).status_code == 404
    assert (await pages.delete("/api/mails")).status_code == 204
    assert (await pages.get("/api/mails")).json() == {"mails": []}


async def test_email_content_is_sandboxed(message_store: MessageStore, pages: httpx.AsyncClient) -> None:
    """Text is escaped, and HTML is in a frame without scripts, forms or an origin (MG-20, HH-06)."""
    message_store.save(_mail(subject=HOSTILE, html=HOSTILE).as_bytes())
    [one] = (await pages.get("/api/mails")).json()["mails"]
    listed, shown = await pages.get("/"), await pages.get(f"/mails/{one['id']}")
    framed = await pages.get(f"/mails/{one['id']}/html")

    assert HOSTILE not in listed.text
    assert HOSTILE not in shown.text
    assert 'sandbox src="/mails/' in shown.text
    assert 'href="https://id.example/ui?code=K7Q2ZX&amp;x=1"' in shown.text
    assert 'href="https://id.example"' in shown.text
    assert framed.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none';")
    assert "script" not in shown.headers["Content-Security-Policy"]


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8025", ""])
async def test_other_host_names_are_refused(pages: httpx.AsyncClient, host: str) -> None:
    """A page whose name was rebound to this machine cannot read messages."""
    assert (await pages.get("/api/mails", headers={"Host": host})).status_code == 400


async def test_cross_site_delete_is_refused(message_store: MessageStore, pages: httpx.AsyncClient) -> None:
    """A form of another site cannot delete messages."""
    message_store.save(_mail().as_bytes())
    foreign = await pages.post("/clear", headers={"Sec-Fetch-Site": "cross-site"})

    assert foreign.status_code == 404
    assert len(message_store.summaries()) == 1
    assert (await pages.post("/clear", headers={"Sec-Fetch-Site": "same-origin"})).status_code == 303
    assert message_store.summaries() == []


@pytest.mark.parametrize("id", ["..", "../installation", "20260101-000000-1", "%2e%2e%2finstallation", "x" * 300])
async def test_id_cannot_leave_the_folder(pages: httpx.AsyncClient, id: str) -> None:
    """Only messages are read, whatever path the URL has."""
    assert (await pages.get(f"/api/mails/{id}/source")).status_code == 404
    assert (await pages.delete(f"/api/mails/{id}")).status_code in (404, 405)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"Content-Type: text/plain; charset=nonsense\r\n\r\nx\xff"])
async def test_invalid_messages_are_listed(
    message_store: MessageStore, pages: httpx.AsyncClient, content: bytes
) -> None:
    """Bytes that are not a valid message are listed and break nothing."""
    message_store.save(content)
    [one] = (await pages.get("/api/mails")).json()["mails"]

    assert (await pages.get("/")).status_code == 200
    assert (await pages.get(f"/mails/{one['id']}")).status_code == 200


def test_old_emails_are_deleted(tmp_path: Path) -> None:
    """The number of stored emails is limited, and the oldest ones are deleted."""
    message_store = MessageStore(tmp_path, max_messages=10)
    for _ in range(100):
        message_store.save(_mail().as_bytes())

    assert len(message_store.summaries(limit=1000)) == 10


def test_configured_mail_server_is_used(tmp_path: Path) -> None:
    """With PORTICO_SMTP_HOST emails are sent by it, and without it the other email settings are ignored."""
    named = {"PORTICO_SMTP_HOST": "smtp.example.test", "PORTICO_SMTP_USER": "portico", "HOME": str(tmp_path)}

    assert MailCatcher.given(named) == {key: named[key] for key in list(named)[:2]}
    assert MailCatcher.given({"PORTICO_SMTP_USER": "portico"}) == {}
