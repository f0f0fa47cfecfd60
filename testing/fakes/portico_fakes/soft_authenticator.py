"""A software authenticator: produces WebAuthn responses, valid or wrong in any detail."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from portico_oauth.opaque import RandomBytes, b64url
from webauthn.helpers import base64url_to_bytes, encode_cbor

UP, UV, BE, BS, AT, ED = 0x01, 0x04, 0x08, 0x10, 0x40, 0x80
"""The flags of authenticator data (WebAuthn section 6.1)."""

Change = Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


class Wrong:
    """The faults of one response; each member takes the valid value and returns the value that is sent.

    Attributes:
        client_data: members of the client data.
        text: the client data as bytes.
        auth: authenticator data.
        object: members of the attestation object.
        encoded: the attestation object as bytes.
        credential: the whole credential as JSON.
    """

    def __init__(self, **changes: Change) -> None:
        self.client_data = changes.pop("client_data", _same)
        self.text = changes.pop("text", _same)
        self.auth = changes.pop("auth", _same)
        self.object = changes.pop("object", _same)
        self.encoded = changes.pop("encoded", _same)
        self.credential = changes.pop("credential", _same)
        assert not changes, changes


RIGHT: Final = Wrong()


class SoftAuthenticator:
    """One authenticator with one credential on P-256.

    Attributes:
        origin: of the page it is used on.
        sign_count: the signature counter it sends.
        user_handle: the user handle of its registration.
        aaguid: identifies its model; zeros hide it.
    """

    def __init__(self, random: RandomBytes, origin: str, *, flags: int = UP) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self.credential_id = random(32)
        self.origin = origin
        self.flags = flags
        self.sign_count = 0
        self.user_handle = b""
        self.aaguid = bytes(16)

    @property
    def public_key(self) -> dict[int, Any]:
        numbers = self._private.public_key().public_numbers()
        return {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}

    def create(self, options: dict[str, Any], wrong: Wrong = RIGHT) -> dict[str, Any]:
        members = options["publicKey"]
        self.user_handle = base64url_to_bytes(members["user"]["id"])
        text = self._client_data("webauthn.create", members["challenge"], wrong)
        auth = wrong.auth(self.new_key_data(members["rp"]["id"], self.public_key))
        encoded = encode_cbor(wrong.object({"fmt": "none", "attStmt": {}, "authData": auth}))
        response = {"clientDataJSON": b64url(text), "attestationObject": b64url(wrong.encoded(encoded))}
        return self._credential({**response, "transports": ["usb"]}, wrong)

    def get(self, options: dict[str, Any], wrong: Wrong = RIGHT) -> dict[str, Any]:
        members = options["publicKey"]
        self.sign_count += 1
        text = self._client_data("webauthn.get", members["challenge"], wrong)
        auth = wrong.auth(self._data(members["rpId"], self.flags))
        response = {
            "clientDataJSON": b64url(text),
            "authenticatorData": b64url(auth),
            "signature": b64url(self.sign(auth, text)),
            "userHandle": b64url(self.user_handle),
        }
        return self._credential(response, wrong)

    def sign(self, auth: bytes, client_data: bytes) -> bytes:
        return self._private.sign(auth + hashlib.sha256(client_data).digest(), ec.ECDSA(SHA256()))

    def new_key_data(self, rp_id: str, public_key: Any, flags: int | None = None) -> bytes:
        given = self.flags | AT if flags is None else flags
        id = self.credential_id
        return self._data(rp_id, given) + self.aaguid + struct.pack(">H", len(id)) + id + encode_cbor(public_key)

    def _data(self, rp_id: str, flags: int) -> bytes:
        return hashlib.sha256(rp_id.encode()).digest() + struct.pack(">BI", flags, self.sign_count)

    def _client_data(self, kind: str, challenge: str, wrong: Wrong) -> bytes:
        members = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        text: bytes = wrong.text(json.dumps(wrong.client_data(members)).encode())
        return text

    def _credential(self, response: dict[str, Any], wrong: Wrong) -> dict[str, Any]:
        id = b64url(self.credential_id)
        members = {"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {}}
        credential: dict[str, Any] = wrong.credential(members)
        return credential
