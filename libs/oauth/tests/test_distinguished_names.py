"""Distinguished names as OpenSSL and others write them (RFC 4514), for tls_client_auth."""

from __future__ import annotations

import pytest
from cryptography.x509 import Name, NameAttribute, RelativeDistinguishedName
from cryptography.x509.oid import NameOID, ObjectIdentifier
from portico_oauth.client_certificates import is_subject
from portico_oauth.distinguished_names import read_name

UNKNOWN = ObjectIdentifier("1.3.6.1.4.1.99999.1")
LONG = Name([NameAttribute(UNKNOWN, "x" * 200)])
BANK = Name(
    [
        NameAttribute(NameOID.JURISDICTION_COUNTRY_NAME, "BR"),
        NameAttribute(NameOID.BUSINESS_CATEGORY, "Business Entity"),
        NameAttribute(NameOID.ORGANIZATION_IDENTIFIER, "OFBBR-d7384bd0"),
        NameAttribute(NameOID.USER_ID, "67c57882"),
        NameAttribute(NameOID.ORGANIZATION_NAME, "Banco Ção, SA"),
        NameAttribute(NameOID.SERIAL_NUMBER, "43142666000197"),
        NameAttribute(NameOID.COMMON_NAME, "web.example.org"),
        NameAttribute(NameOID.EMAIL_ADDRESS, "a@b.example"),
    ]
)
SEVERAL = Name(
    [
        RelativeDistinguishedName(
            [NameAttribute(NameOID.COMMON_NAME, "a+b,c"), NameAttribute(NameOID.SERIAL_NUMBER, "1")]
        ),
        RelativeDistinguishedName([NameAttribute(UNKNOWN, "naïve")]),
    ]
)
OPENSSL = (
    r"emailAddress=a@b.example,CN=web.example.org,serialNumber=43142666000197,O=Banco \C3\87\C3\A3o\, SA,UID=67c57882,"
    r"organizationIdentifier=OFBBR-d7384bd0,businessCategory=Business Entity,jurisdictionC=BR"
)
JAVA = (
    r"1.2.840.113549.1.9.1=#160b6140622e6578616d706c65,CN=web.example.org,2.5.4.5=#130e3433313432363636303030313937,"
    r"O=Banco Ção\, SA,UID=67c57882,2.5.4.97=#0c0e4f464242522d6437333834626430,"
    r"2.5.4.15=#0c0f427573696e65737320456e74697479,1.3.6.1.4.1.311.60.2.1.3=#13024252"
)
OTHER_CASE = (
    r"EMAILADDRESS=a@b.example,cn=web.example.org,SERIALNUMBER=43142666000197,o=Banco Ção\, SA,uid=67c57882,"
    r"ORGANIZATIONIDENTIFIER=OFBBR-d7384bd0,businesscategory=Business Entity,JURISDICTIONC=BR"
)
WRITTEN = {
    "by OpenSSL": (BANK, OPENSSL),
    "by Java": (BANK, JAVA),
    "in another case": (BANK, OTHER_CASE),
    "several values in one part": (SEVERAL, r"1.3.6.1.4.1.99999.1=#0c066e61c3af7665,serialNumber=1+CN=a\+b\2cc"),
    "a long hexadecimal value": (LONG, f"1.3.6.1.4.1.99999.1=#0c81c8{'78' * 200}"),
    "a value with equals signs": (Name([NameAttribute(NameOID.COMMON_NAME, "a=#41")]), "CN=a=#41"),
}
OTHERS = ["", "CN=", "CN=a,", "CN=a+", "CN=a, O=b", "CN=a;O=b", "CN=a\\", "XX=a", "=a", "CN", "C=BRA", ",CN=a"]
WRONG_HEXADECIMAL = [
    "#",
    "#4",
    "#41",
    "#0c",
    "#0c0241",
    "#0c004141",
    "#0c8141",
    "#0c01ff",
    "#020101",
    "#0c01410",
    "#0c0141x",
    "#0c\t01\t41",
    "#0c0141\\,b",
]


@pytest.mark.parametrize("way", WRITTEN)
def test_names_are_read_as_they_are_written(way: str) -> None:
    """The same name in each spelling, as it is in the certificate."""
    wanted, text = WRITTEN[way]

    assert read_name(text) == wanted
    assert is_subject(f"subject_dn:{text}")


@pytest.mark.parametrize("text", [*OTHERS, *(f"CN={value}" for value in WRONG_HEXADECIMAL)])
def test_other_texts_are_refused(text: str) -> None:
    """A part that would never match is refused when it is registered, and never read as another one."""
    with pytest.raises(ValueError):  # noqa: PT011 - of several parsers
        read_name(text)
    assert not is_subject(f"subject_dn:{text}")
