"""The bearer token of a target: encrypted for its address, and in no response."""

from __future__ import annotations

import msgspec

from portico_users.identity_providers.secrets import SealedSecrets, SecretSealer
from portico_users.scim_targets.target import INVALID_TOKEN, SCIM_TARGETS, ScimTarget, is_token
from portico_users.storage.entry import Document
from portico_users.values.problems import at


def with_token(target: ScimTarget, token: str, sealer: SecretSealer) -> ScimTarget:
    if not is_token(token):
        raise at("tokenSecret", INVALID_TOKEN.error())
    return msgspec.structs.replace(target, token=sealer.seal_for(token, _bound_to(target)))


def token_of(target: ScimTarget, sealer: SecretSealer) -> str:
    """Raises `UnsealingFailed` without its master key, or if it was stored for another target or address."""
    return sealer.unseal_for(target.token, _bound_to(target))


def _bound_to(target: ScimTarget) -> bytes:
    return f"scim target\n{target.id}\n{target.base}".encode()


class TargetTokens(SealedSecrets):
    name = "scim-target-tokens"
    text = "tokens of SCIM targets, sealed under the newest master key"
    table = SCIM_TARGETS

    @property
    def due(self) -> Document:
        return {"token": self.sealer.due}

    def resealed(self, document: Document) -> Document:
        target = SCIM_TARGETS.record(document)
        return {"token": self.sealer.reseal_for(target.token, _bound_to(target))}
