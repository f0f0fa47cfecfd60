from __future__ import annotations

import pytest
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import UpdateIDPOIDCConfigRequest
from portico_contracts.generated.portico.management.v1.idp_templates_pb2 import UpdateGenericOIDCProviderRequest
from portico_users.identity_providers.api.config_mappings import OLDER_OIDC
from portico_users.identity_providers.api.preset_mappings import GENERIC_OIDC
from portico_users.identity_providers.api.write_idps import updated_by
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.identity_providers.presets.names import AuthMethod

ISSUER = "https://house.example"
TRUSTED = Idp(
    id="1", org_id="2", name="house", config=OidcConfig(issuer=ISSUER, client_id="portico", trusted_email=True)
)


@pytest.mark.parametrize(("issuer", "trusted"), [(ISSUER, True), (f"{ISSUER}/", False), ("https://new.example", False)])
def test_changed_issuer_resets_the_trust(issuer: str, trusted: bool) -> None:
    """If the message does not state the trust, it is unchanged for the same issuer and reset for another one
    (MG-18).
    """
    older = updated_by(OLDER_OIDC)(TRUSTED, UpdateIDPOIDCConfigRequest(issuer=issuer, client_id="portico"))
    newer = updated_by(GENERIC_OIDC)(
        TRUSTED, UpdateGenericOIDCProviderRequest(name="house", issuer=issuer, client_id="portico")
    )

    for updated in (older, newer):
        assert isinstance(updated.config, OidcConfig)
        assert updated.config.trusted_email is trusted


@pytest.mark.parametrize("trusted", [True, False])
def test_generic_update_sets_the_trust(trusted: bool) -> None:
    """If the message states the trust, it applies to the issuer of the same message."""
    request = UpdateGenericOIDCProviderRequest(
        name="house", issuer="https://new.example", client_id="portico", trusted_email=trusted
    )
    updated = updated_by(GENERIC_OIDC)(TRUSTED, request)

    assert isinstance(updated.config, OidcConfig)
    assert updated.config.trusted_email is trusted


def test_update_keeps_the_client_authentication() -> None:
    """Neither message contains it: a stored private key never becomes a client secret (MG-18)."""
    config = OidcConfig(issuer=ISSUER, client_id="a", auth_method=AuthMethod.PRIVATE_KEY_JWT, key_id="k1")
    before = Idp(id="1", org_id="2", name="house", config=config)
    older = updated_by(OLDER_OIDC)(before, UpdateIDPOIDCConfigRequest(issuer=ISSUER, client_id="b"))
    newer = updated_by(GENERIC_OIDC)(
        before, UpdateGenericOIDCProviderRequest(name="house", issuer=ISSUER, client_id="b")
    )

    for updated in (older, newer):
        assert isinstance(updated.config, OidcConfig)
        assert (updated.config.auth_method, updated.config.key_id) == (AuthMethod.PRIVATE_KEY_JWT, "k1")
        assert updated.config.client_id == "b"
