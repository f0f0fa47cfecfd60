"""Browsers send CRLF for each line break of a text area."""

from __future__ import annotations

import base64

import httpx
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

IDPS = "portico.management.v1.IDPService"
EDIT = f"/ui/console/orgs/o1/idps/{'a' * 26}/edit"
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"


async def test_certificates_that_are_sent_unchanged_stay_the_same(
    console: ConsoleService, browser: httpx.AsyncClient
) -> None:
    ldap = {"servers": ["ldaps://l.example"], "rootCa": base64.b64encode(PEM.encode()).decode()}
    stored = {"id": "a" * 26, "name": "Directory", "type": "PROVIDER_TYPE_LDAP", "details": {"sequence": "3"}}
    console.provider.answers |= {
        PERMISSIONS: holding("org.idp.read", "org.idp.write"),
        f"{IDPS}/GetProviderByID": answering({"idp": stored | {"config": {"options": {}, "ldap": ldap}}}),
        f"{IDPS}/UpdateLDAPProvider": answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    typed = {"f.name": "Directory", "f.servers": "ldaps://l.example", "f.rootCa": PEM.replace("\n", "\r\n")}
    await send(browser, EDIT, **typed, sequence="3")
    [sent] = console.sent(f"{IDPS}/UpdateLDAPProvider")

    assert sent["rootCa"] == ldap["rootCa"]
