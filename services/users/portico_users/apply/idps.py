"""Plans identity providers of organizations."""

from __future__ import annotations

import msgspec
from portico_contracts.apply import JwtIdp, OidcIdp
from portico_oauth.errors import Refusal

from portico_users.apply.finding import Stored, Wanted, find_existing
from portico_users.apply.step import Step, Subject, step_of
from portico_users.domain.problems import at
from portico_users.domain.records import State
from portico_users.idps.commands import put_idp, with_oidc_config, with_secret
from portico_users.idps.idp import Idp, JwtConfig, OidcConfig, Options
from portico_users.orgs.org import Org

AnyIdp = JwtIdp | OidcIdp


async def plan_idp(stored: Stored, org: Org, wanted: AnyIdp, path: str) -> Step:
    """The step that brings an identity provider to what is wanted.

    Raises:
        Refusal: naming the place, when it may not be so.
    """
    config = _config(wanted)
    named = await stored.idps.find_by_name(org.id, wanted.name)

    def fits(idp: Idp) -> bool:
        return idp.org_id == org.id and type(idp.config) is type(config) and idp.state is not State.DELETED

    before = await find_existing(stored.ids, Wanted(path, wanted.id, "name", fits, stored.idps.find, named))
    try:
        after = _with_config(stored, before or _new(stored, org, wanted), wanted, is_new=before is None)
    except Refusal as refusal:
        raise at(f"{path}.clientSecret", refusal) from None
    options = msgspec.structs.replace(after.options, auto_creation=wanted.auto_register)
    after = msgspec.structs.replace(after, name=wanted.name, options=options)
    entry = put_idp(before, after, stored.outbound_allowed, path=path)
    return step_of(Subject("identity_provider", path, after.name), entry)


def _new(stored: Stored, org: Org, wanted: AnyIdp) -> Idp:
    id = wanted.id or stored.new_id()
    return Idp(id=id, org_id=org.id, name=wanted.name, config=_config(wanted), options=Options())


def _with_config(stored: Stored, idp: Idp, wanted: AnyIdp, *, is_new: bool) -> Idp:
    if isinstance(wanted, JwtIdp):
        return msgspec.structs.replace(idp, config=_config(wanted))
    if is_new:
        return with_secret(idp, wanted.client_secret, stored.secrets)
    before = idp.config
    # Sealing makes something new each time: only where the stored one is of no use.
    is_kept = bool(idp.sealed_secret) and before.issuer == wanted.issuer
    config = _oidc_config(wanted, before if isinstance(before, OidcConfig) else None)
    return with_oidc_config(idp, config, "" if is_kept else wanted.client_secret, stored.secrets)


def _config(wanted: AnyIdp) -> JwtConfig | OidcConfig:
    if isinstance(wanted, OidcIdp):
        return _oidc_config(wanted, None)
    return JwtConfig(
        jwt_endpoint=wanted.jwt_endpoint,
        issuer=wanted.issuer,
        keys_endpoint=wanted.keys_endpoint,
        header_name=wanted.header_name,
    )


def _oidc_config(wanted: OidcIdp, before: OidcConfig | None) -> OidcConfig:
    """What the document does not speak of stays."""
    config = before or OidcConfig(issuer=wanted.issuer, client_id=wanted.client_id)
    return msgspec.structs.replace(
        config, issuer=wanted.issuer, client_id=wanted.client_id, scopes=tuple(wanted.scopes)
    )
