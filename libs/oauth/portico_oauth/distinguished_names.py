"""Distinguished names as RFC 4514 writes them, with the attributes of certificates of banks and other companies."""

from __future__ import annotations

import binascii
import re
from typing import Final

from cryptography import x509
from cryptography.x509.oid import NameOID

_SHORT: Final = {
    "CN": NameOID.COMMON_NAME,
    "L": NameOID.LOCALITY_NAME,
    "ST": NameOID.STATE_OR_PROVINCE_NAME,
    "O": NameOID.ORGANIZATION_NAME,
    "OU": NameOID.ORGANIZATIONAL_UNIT_NAME,
    "C": NameOID.COUNTRY_NAME,
    "STREET": NameOID.STREET_ADDRESS,
    "DC": NameOID.DOMAIN_COMPONENT,
    "UID": NameOID.USER_ID,
    "emailAddress": NameOID.EMAIL_ADDRESS,
    "serialNumber": NameOID.SERIAL_NUMBER,
    "SN": NameOID.SURNAME,
    "GN": NameOID.GIVEN_NAME,
    "title": NameOID.TITLE,
    "initials": NameOID.INITIALS,
    "generationQualifier": NameOID.GENERATION_QUALIFIER,
    "dnQualifier": NameOID.DN_QUALIFIER,
    "pseudonym": NameOID.PSEUDONYM,
    "postalCode": NameOID.POSTAL_CODE,
    "businessCategory": NameOID.BUSINESS_CATEGORY,
    "organizationIdentifier": NameOID.ORGANIZATION_IDENTIFIER,
    "jurisdictionC": NameOID.JURISDICTION_COUNTRY_NAME,
    "jurisdictionST": NameOID.JURISDICTION_STATE_OR_PROVINCE_NAME,
    "jurisdictionL": NameOID.JURISDICTION_LOCALITY_NAME,
}
"""Names of attributes: those of RFC 4514 section 3, then those that OpenSSL writes in place of an object identifier."""

_NAMES: Final = {name.lower(): oid.dotted_string for name, oid in _SHORT.items()}
"""In any case (RFC 4512 section 1.4)."""

_PART: Final = re.compile(r"((?:\\.|[^\\,+])*)([,+]|\Z)")
_ENCODINGS: Final = {0x0C: "utf-8", 0x13: "ascii", 0x16: "ascii", 0x1E: "utf-16-be"}
"""By the tag of the ASN.1 string: UTF8String, PrintableString, IA5String, BMPString."""

_LONG: Final = 0x80


def read_name(text: str) -> x509.Name:
    """Reads ``CN=client,O=Bank``. Raises ValueError for an unknown attribute, and for what is not such a name."""
    if not text:
        raise ValueError("no attribute")
    return x509.Name.from_rfc4514_string(_PART.sub(_plain, text))


def _plain(part: re.Match[str]) -> str:
    """Writes an attribute with its object identifier, and a value in hexadecimal as the text that it encodes."""
    if not part[1]:
        return part[0]
    name, equals, value = part[1].partition("=")
    if value.startswith("#"):
        encoded = _text_in(binascii.unhexlify(value[1:])).encode()
        value = "".join(f"\\{byte:02x}" for byte in encoded)
    return f"{_NAMES.get(name.lower(), name)}{equals}{value}{part[2]}"


def _text_in(ber: bytes) -> str:
    """The text of an ASN.1 string (RFC 4514 section 2.4); OpenSSL writes attributes that it has no name for so."""
    if len(ber) < 3 or ber[0] not in _ENCODINGS:
        raise ValueError("not a string")
    size = ber[1] - _LONG if ber[1] > _LONG else 0
    length = int.from_bytes(ber[2 : 2 + size], "big") if size else ber[1]
    if length != len(ber) - 2 - size:
        raise ValueError("another length")
    return ber[2 + size :].decode(_ENCODINGS[ber[0]])
