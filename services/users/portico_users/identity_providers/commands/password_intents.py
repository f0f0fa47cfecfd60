"""Intents for LDAP providers: the password is verified at once, so the response has the token (decision 0051)."""

from __future__ import annotations

from dataclasses import dataclass, field

from portico_contracts.users import ProviderKind, VerifyLdap
from portico_oauth.opaque import RandomBytes, b64url, fingerprint

from portico_users.identity_providers.commands.external_accounts import LinkedAccounts
from portico_users.identity_providers.commands.idp_intents import NOT_BY_PASSWORD, SECRET_BYTES, WRONG_PASSWORD
from portico_users.identity_providers.commands.sign_ins import CheckedProviders, LdapPasswords
from portico_users.identity_providers.federation.intents import Intent, Intents, Phase
from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.journal.command import Command
from portico_users.values.names import new_id


@dataclass(frozen=True, slots=True)
class VerifiedIntent:
    id: str
    token: str = field(repr=False)
    user_id: str
    resource_owner: str


@dataclass(frozen=True, slots=True)
class BeginByPassword(Command):
    providers: CheckedProviders
    offered: OfferedProviders
    passwords: LdapPasswords
    linked: LinkedAccounts
    intents: Intents
    random: RandomBytes

    async def __call__(self, idp_id: str, org_id: str, user_name: str, password: str, *, actor: str) -> VerifiedIntent:
        """Verifies an LDAP password; wrong password and unknown user name give the same error (LG-01)."""
        found = await self.offered.find_any(idp_id)
        org_id = org_id if found.of_instance else found.org_id
        async with self.providers.use(found.id, org_id) as idp:
            if not isinstance(idp.config, LdapConfig):
                raise NOT_BY_PASSWORD.error()
            ask = VerifyLdap(provider_id=idp.id, org_id=org_id, login_name=user_name, password=password)
            identity = await self.passwords.verify(idp, ask)
            if identity is None:
                raise WRONG_PASSWORD.error()
            account = await self.linked.find(idp, org_id, identity)
        token = b64url(self.random(SECRET_BYTES))
        intent = Intent(
            id=new_id(self.random),
            # No browser is redirected, so the state is random and never disclosed.
            state_hash=fingerprint(b64url(self.random(SECRET_BYTES))),
            idp_id=idp.id,
            org_id=org_id,
            actor=actor,
            kind=ProviderKind.LDAP,
            phase=Phase.VERIFIED,
            token_hash=fingerprint(token),
            identity=identity,
        )
        await self.intents.create(intent)
        return VerifiedIntent(intent.id, token, account.user.id if account else "", idp.org_id)
