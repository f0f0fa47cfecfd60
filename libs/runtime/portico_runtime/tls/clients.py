"""The certificate verification of every TLS client of ours, the same on every Python (decision 0114).

Python 3.13 made `ssl.create_default_context` strict: certificates without RFC 5280's key identifiers are refused, and
389 Directory Server and Samba make such ones for themselves. So nothing is left to Python's default here.
"""

from __future__ import annotations

import ssl
from typing import Final

_ANCHORS: Final = ssl.VERIFY_X509_PARTIAL_CHAIN
"""A trusted certificate ends the chain, also where another authority issued it."""


def client_context(ca_file: str = "", *, pem: str = "", folder: str = "") -> ssl.SSLContext:
    """Returns a context that trusts the given authorities alone, or else those of the system.

    Names, dates, signatures and uses are always verified. That certificates are as RFC 5280 demands of authorities
    is verified for those of the system only: who gives an authority decides what it issues.

    Args:
        ca_file: a PEM file.
        pem: certificates in PEM.
        folder: a folder of PEM files, hashed by OpenSSL.

    Raises:
        OSError: there is no readable certificate in it (`ssl.SSLError` is an OSError).
    """
    context = ssl.create_default_context(cafile=ca_file or None, capath=folder or None, cadata=pem or None)
    flags = context.verify_flags | _ANCHORS
    is_given = bool(ca_file or pem or folder)
    context.verify_flags = flags & ~ssl.VERIFY_X509_STRICT if is_given else flags | ssl.VERIFY_X509_STRICT
    return context


def context_without_authorities() -> ssl.SSLContext:
    """Returns a context for plain addresses; it trusts no authority. To read the system's authorities takes 40 ms."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def is_certificates(pem: str) -> bool:
    """Reports whether the text is certificates in PEM, at least one."""
    try:
        return client_context(pem=pem).cert_store_stats()["x509"] > 0 if pem else False
    except (ssl.SSLError, ValueError):
        return False
