"""Registrations that a relying party must refuse, each invalid in one detail (WebAuthn, section 7.1; LG-17, LG-19)."""

from __future__ import annotations

import base64
import hashlib
import secrets
import struct
from collections.abc import Callable
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from portico_fakes.soft_authenticator import AT, BS, ED, UP, SoftAuthenticator, Wrong
from portico_oauth.opaque import b64url
from webauthn.helpers import encode_cbor

pytestmark = pytest.mark.servers

ORIGIN: Final = "http://localhost:8080"
_OF: Final = "portico.user.v2.UserService"

Make = Callable[[SoftAuthenticator], Wrong]


def _client(**members: Any) -> Make:
    """Changes members of the client data; None removes one."""

    def change(right: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in {**right, **members}.items() if value is not None}

    return lambda _key: Wrong(client_data=change)


def _text(change: Callable[[bytes], bytes]) -> Make:
    return lambda _key: Wrong(text=change)


def _auth(change: Callable[[bytes], bytes]) -> Make:
    return lambda _key: Wrong(auth=change)


def _flags(flags: int) -> Make:
    return _auth(lambda auth: auth[:32] + bytes([flags]) + auth[33:])


def _cose(**members: Any) -> Make:
    """Changes the public key; names are COSE labels with ``m`` for minus, and None removes one."""
    labels = {"kty": 1, "alg": 3, "crv": -1, "x": -2, "y": -3}

    def make(key: SoftAuthenticator) -> Wrong:
        cose = {**key.public_key, **{labels[name]: value for name, value in members.items()}}
        left = {label: value for label, value in cose.items() if value is not None}
        return Wrong(auth=lambda _auth: key.new_key_data("localhost", left))

    return make


def _rsa(bits: int) -> Make:
    def make(key: SoftAuthenticator) -> Wrong:
        numbers = rsa.generate_private_key(65_537, bits).public_key().public_numbers()
        cose = {1: 3, 3: -257, -1: numbers.n.to_bytes(bits // 8, "big"), -2: b"\x01\x00\x01"}
        return Wrong(auth=lambda _auth: key.new_key_data("localhost", cose))

    return make


def _id(id: bytes) -> Make:
    def make(key: SoftAuthenticator) -> Wrong:
        key.credential_id = id
        return Wrong()

    return make


def _object(**members: Any) -> Make:
    return lambda _key: Wrong(object=lambda right: {**right, **members})


def _self_attested(signed: Callable[[bytes], bytes], alg: int = -7) -> Make:
    """Packed self attestation over the output of ``signed`` for the authenticator data."""

    def make(key: SoftAuthenticator) -> Wrong:
        kept: list[bytes] = []

        def keep(text: bytes) -> bytes:
            kept.append(text)
            return text

        def attest(right: dict[str, Any]) -> dict[str, Any]:
            signature = key.sign(signed(right["authData"]), kept[0])
            return {**right, "fmt": "packed", "attStmt": {"alg": alg, "sig": signature}}

        return Wrong(text=keep, object=attest)

    return make


def _credential(**members: Any) -> Make:
    """Changes members of the credential; None removes one."""

    def change(right: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in {**right, **members}.items() if value is not None}

    return lambda _key: Wrong(credential=change)


def _response(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Make:
    return lambda _key: Wrong(credential=lambda right: {**right, "response": change(right["response"])})


def _respelt(name: str, change: Callable[[str], str]) -> Make:
    return _response(lambda response: {**response, name: change(response[name])})


def _without_at(auth: bytes) -> bytes:
    return auth[:32] + bytes([UP]) + auth[33:37]


def _with_bits_left(text: str) -> str:
    """Encodes the same bytes differently; adds or removes a byte if that is impossible."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    padded = data + b" " * (1 if len(data) % 3 == 0 else 0)
    respelt = b64url(padded)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return respelt[:-1] + alphabet[alphabet.index(respelt[-1]) + 1]


_OTHER_ID: Final = b64url(bytes(32))
_TWICE: Final = b'{"type":"webauthn.get",'

REFUSED: Final[dict[str, Make]] = {
    "client data: type of a sign-in": _client(type="webauthn.get"),
    "client data: no type": _client(type=None),
    "client data: type twice": _text(lambda text: _TWICE + text[1:]),
    "client data: another challenge": _client(challenge=b64url(bytes(32))),
    "client data: empty challenge": _client(challenge=""),
    "client data: challenge that is a number": _client(challenge=5),
    "client data: no challenge": _client(challenge=None),
    "client data: another origin": _client(origin="https://evil.example"),
    "client data: another port": _client(origin="http://localhost:8081"),
    "client data: another scheme": _client(origin="https://localhost:8080"),
    "client data: origin with a path": _client(origin=f"{ORIGIN}/"),
    "client data: a host below": _client(origin="http://a.localhost:8080"),
    "client data: origin null": _client(origin="null"),
    "client data: in a frame": _client(crossOrigin=True),
    "client data: below another page": _client(topOrigin="https://evil.example"),
    "client data: no object": _text(lambda _text: b"[1]"),
    "client data: no JSON": _text(lambda text: text[:-1]),
    "client data: not UTF-8": _text(lambda text: text[:-1] + b',"x":"\xff"}'),
    "client data: too deep": _text(lambda _text: b"[" * 12_000),
    "client data: too long": _text(lambda text: text + b" " * 20_000),
    "authenticator data: another relying party": _auth(
        lambda auth: hashlib.sha256(b"evil.example").digest() + auth[32:]
    ),
    "authenticator data: nobody present": _flags(AT),
    "authenticator data: backed up, and cannot be": _flags(UP | AT | BS),
    "authenticator data: no key": _auth(_without_at),
    "authenticator data: key without its flag": _flags(UP),
    "authenticator data: extensions that are not there": _flags(UP | AT | ED),
    "authenticator data: cut before the flags": _auth(lambda auth: auth[:32]),
    "authenticator data: cut in the key": _auth(lambda auth: auth[:-5]),
    "authenticator data: cut in the id": _auth(lambda auth: auth[:60]),
    "authenticator data: something after it": _auth(lambda auth: auth + b"\x00"),
    "authenticator data: id longer than the data": _auth(lambda auth: auth[:53] + b"\xff\xff" + auth[55:]),
    "authenticator data: of another key": _auth(lambda auth: auth[:55] + bytes(32) + auth[87:]),
    "public key: an algorithm we did not offer": _cose(alg=-36),
    "public key: SHA-1": _cose(alg=-65_535),
    "public key: algorithm of another kind": _cose(alg=-257),
    "public key: another curve": _cose(crv=2),
    "public key: not on its curve": _cose(y=bytes(31) + b"\x07"),
    "public key: half of a point": _cose(y=None),
    "public key: point of text": _cose(x="x" * 32),
    "public key: no kind": _cose(kty=None),
    "public key: Ed25519 too short": _cose(kty=1, alg=-8, crv=6, x=bytes(31), y=None),
    "public key: RSA too weak": _rsa(1_024),
    "credential id: empty": _id(b""),
    "credential id: too long": _id(bytes(1_024)),
    "attestation: bad signature": _self_attested(lambda auth: auth + b"x"),
    "attestation: algorithm of another key": _self_attested(lambda auth: auth, alg=-257),
    "attestation: no signature": _object(fmt="packed", attStmt={"alg": -7}),
    "attestation: unknown form": _object(fmt="mine"),
    "attestation: a form that was not asked for": _object(
        fmt="android-safetynet", attStmt={"ver": "1", "response": b"a.b.c"}
    ),
    "attestation: form that is no text": _object(fmt=5),
    "attestation: none, with a statement": _object(attStmt={"sig": b"x"}),
    "attestation: none, with an unknown statement": _object(attStmt={"more": 1}),
    "attestation: another member": _object(more=1),
    "attestation: data of text": _object(authData="x" * 200),
    "attestation: no CBOR": lambda _key: Wrong(encoded=lambda _right: b"\xff\xff"),
    "attestation: a list": lambda _key: Wrong(encoded=lambda _right: encode_cbor([1])),
    "attestation: too deep": lambda _key: Wrong(encoded=lambda _right: b"\x81" * 100_000),
    "attestation: a length of exabytes": lambda _key: Wrong(encoded=lambda _right: b"\x5b" + struct.pack(">Q", 2**62)),
    "attestation: something after it": lambda _key: Wrong(encoded=lambda right: right + b"\x00"),
    "credential: another type": _credential(type="password"),
    "credential: no type": _credential(type=None),
    "credential: no id": _credential(id=None),
    "credential: id that is not the raw id": _credential(id=_OTHER_ID),
    "credential: ids that are not the key's": _credential(id=_OTHER_ID, rawId=_OTHER_ID),
    "credential: no response": _credential(response=None),
    "credential: response that is a list": _credential(response=[]),
    "credential: unknown attachment": _credential(authenticatorAttachment="glued"),
    "credential: attestation with padding": _respelt("attestationObject", lambda text: f"{text}="),
    "credential: bits left over": _respelt("clientDataJSON", _with_bits_left),
    "credential: not base64url": _respelt("attestationObject", lambda text: f"{text[:9]}+/{text[11:]}"),
    "credential: blanks in base64url": _respelt("attestationObject", lambda text: f"{text[:9]} {text[9:]}"),
    "credential: no client data": _respelt("clientDataJSON", lambda _text: ""),
}
"""More than the thirty that are requested."""


async def _try(managed: Any, key: SoftAuthenticator, make: Make) -> Any:
    token, user = managed.tokens["self"], f"self-{managed.tag}"
    begun = await managed.api.json(f"{_OF}.RegisterU2F", {}, token=token, path=f"/v2/users/{user}/u2f")
    credential = key.create(begun.body["publicKeyCredentialCreationOptions"], make(key))
    body = {"publicKeyCredential": credential, "tokenName": "key"}
    path = f"/v2/users/{user}/u2f/{begun.body['u2fId']}"
    return await managed.api.json(f"{_OF}.VerifyU2FRegistration", body, token=token, path=path)


def _key() -> SoftAuthenticator:
    return SoftAuthenticator(secrets.token_bytes, ORIGIN)


async def test_invalid_registration_is_refused(managed: Any) -> None:
    """The error is code 3 with the field and without a reason, and nothing is stored."""
    wrong = []
    for detail, make in REFUSED.items():
        refused = await _try(managed, _key(), make)
        got = (refused.code, refused.error_code, refused.fields if refused.code else [])
        expected_text = "The credential does not match the registration." in refused.body.get("message", "")
        if got != (3, "USER-502", ["publicKeyCredential"]) or not expected_text:
            wrong.append((detail, refused))

    assert wrong == []
    assert await managed.users.rows("webauthnKeys", userId=f"self-{managed.tag}") == []
    assert (await managed.users.rows("users", _id=f"self-{managed.tag}"))[0]["securityKeys"] == []


RIGHT: Final[dict[str, Make]] = {
    "as it is": lambda _key: Wrong(),
    "attests itself": _self_attested(lambda auth: auth),
    "an RSA key": _rsa(2_048),
    "client data with unknown members": _client(futureMember={"a": [1]}),
    "client data that says nothing of frames": _client(crossOrigin=None),
    "unknown transports": _response(lambda response: {**response, "transports": ["teleport", 5]}),
    "a built-in key": _credential(authenticatorAttachment="platform"),
}


async def test_valid_registration_is_accepted(managed: Any) -> None:
    """Each refused registration is valid without its one error."""
    taken = {detail: await _try(managed, _key(), make) for detail, make in RIGHT.items()}

    assert {detail: answer.body for detail, answer in taken.items() if answer.code != 0} == {}
