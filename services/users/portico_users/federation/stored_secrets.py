"""The client secrets of identity providers, unsealed for one request."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.errors import UNAVAILABLE
from portico_oauth.master_keys import UnsealingFailed

from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.secrets import SecretSealer


@dataclass(frozen=True, slots=True)
class StoredSecrets:
    """Unseals the secret of a provider."""

    sealer: SecretSealer

    def of(self, idp: Idp) -> str:
        """The secret; empty for none. Raises `unavailable` where its master key is not there."""
        if not idp.sealed_secret:
            return ""
        try:
            return self.sealer.unseal(idp.sealed_secret, idp.id, idp.config.sealed_for)
        except UnsealingFailed as error:
            raise UNAVAILABLE.error(part="master keys", idp=idp.id) from error
