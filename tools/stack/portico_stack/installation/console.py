from __future__ import annotations

from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from portico_contracts.apply import Document
from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT, client_key_id
from portico_contracts.documents.reading import read_document
from portico_contracts.http import ACCOUNT, CONSOLE

DOCUMENT: Final = Path(__file__).resolve().parent / "console.yaml"


def new_client_key() -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def console_document(issuer: str, client_key: str, console_url: str = "") -> Document:
    """`client_key` is a private key (PEM), whose public key is declared; `console_url` is empty for the issuer's."""
    public = load_pem_private_key(client_key.encode(), None).public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    environment = {
        "PORTICO_CONSOLE_CLIENT": CONSOLE_CLIENT,
        "PORTICO_CONSOLE_AT": f"{console_url or issuer}{CONSOLE}",
        "PORTICO_ACCOUNT_CLIENT": ACCOUNT_CLIENT,
        "PORTICO_ACCOUNT_AT": f"{issuer}{ACCOUNT}",
        "PORTICO_CONSOLE_KEY": client_key_id(CONSOLE_CLIENT),
        "PORTICO_ACCOUNT_KEY": client_key_id(ACCOUNT_CLIENT),
        "PORTICO_CLIENT_KEY": pem,
    }
    return read_document(DOCUMENT.read_text(encoding="utf-8"), str(DOCUMENT), environment)
