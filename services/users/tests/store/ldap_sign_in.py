from __future__ import annotations

import secrets
from typing import Any

from portico_contracts.users import VERIFY_LDAP, ExternalFinished, LdapVerified, VerifyLdap
from portico_harness.ldap_server import PEOPLE_DN, SEARCH_DN, RunningLdapServer

PASSWORD = "correct horse battery"

ATTRIBUTES = {
    "firstNameAttribute": "givenName",
    "lastNameAttribute": "sn",
    "displayNameAttribute": "displayName",
    "preferredUsernameAttribute": "uid",
    "emailAttribute": "mail",
    "emailVerifiedAttribute": "mailVerified",
    "preferredLanguageAttribute": "preferredLanguage",
}


class LdapSignIn:
    def __init__(self, world: Any, directory: RunningLdapServer) -> None:
        self.world = world
        self.directory = directory
        self.idp_id = f"directory-{world.tag}"
        self.uid = f"ada-{world.tag}"

    def configured(self, **changed: Any) -> dict[str, Any]:
        full = {
            "id": self.idp_id,
            "name": "directory",
            "servers": [self.directory.ldaps],
            "baseDn": PEOPLE_DN,
            "bindDn": SEARCH_DN,
            "bindPassword": self.directory.password,
            "userFilters": ["uid", "mail"],
            "userObjectClasses": ["inetOrgPerson"],
            "rootCa": self.directory.authority,
            "attributes": ATTRIBUTES,
            **changed,
        }
        return {name: value for name, value in full.items() if value is not None}

    async def set_up(self, *, offered: bool = True, policies: Any = None, **changed: Any) -> None:
        login_policy = {"idps": [self.idp_id] if offered else []}
        await self.world.home(ldapIdps=[self.configured(**changed)], loginPolicy=login_policy, **(policies or {}))

    def add(self, **attributes: Any) -> None:
        full = {
            "uid": self.uid,
            "userPassword": PASSWORD,
            "givenName": "Ada",
            "sn": "Lovelace",
            "displayName": "Countess Ada",
            "mail": self.world.mail("ada"),
            "preferredLanguage": "en",
            **attributes,
        }
        given = {name: value for name, value in full.items() if value is not None}
        self.directory.add(f"cn={secrets.token_hex(8)}", **given)

    async def verify(
        self, login_name: str | None = None, password: str = PASSWORD, **members: Any
    ) -> ExternalFinished | None:
        ask = {
            "provider_id": self.idp_id,
            "org_id": self.world.org_id,
            "login_name": self.uid if login_name is None else login_name,
        }
        done: LdapVerified = await self.world.call(VERIFY_LDAP, VerifyLdap(**{**ask, "password": password, **members}))
        return done.finished

    async def refusals(self) -> list[str]:
        rows = await self.world.rows("events", table="idpSignIns", orgId=self.world.org_id)
        return [row["values"]["errorId"] for row in sorted(rows, key=lambda row: float(row["at"]))]
