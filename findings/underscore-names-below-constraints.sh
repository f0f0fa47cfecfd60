#!/usr/bin/env bash
# Expected: whether a certificate with an underscore in a DNS name is accepted depends on the name alone. Name
#   constraints of a CA compare names: one that excludes another domain has nothing to do with this one.
# Instead: cryptography accepts the client certificate below a CA without constraints, and refuses it below one that has
#   any constraint for DNS names, also where the name is permitted, or only another domain is excluded: the name is
#   malformed then. OpenSSL accepts all three.
# Versions: cryptography 50.0.2; OpenSSL of the system (the version is printed; 3.0.19). Seen on 2026-12-01.
set -euo pipefail
command -v openssl >/dev/null || { echo "OpenSSL is not installed (package openssl)." >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet cryptography==50.0.2
openssl version
cat >seen.py <<'PY'
import datetime
import subprocess
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import verification

NAME = "billing_api.mesh.example.com"
NOW = datetime.datetime.now(datetime.timezone.utc)


def built(subject, issuer, key, signer, extensions):
    builder = x509.CertificateBuilder(
        issuer_name=x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer)]),
        subject_name=x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject)]),
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=NOW - datetime.timedelta(hours=1),
        not_valid_after=NOW + datetime.timedelta(days=9),
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(signer, hashes.SHA256())


def chain(constraints):
    ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    usage = {name: False for name in ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
                                      "key_agreement", "crl_sign", "encipher_only", "decipher_only")}
    ca = built("Mesh", "Mesh", ca_key, ca_key, [
        (x509.BasicConstraints(ca=True, path_length=None), True),
        (x509.KeyUsage(key_cert_sign=True, **usage), True),
        (x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key()), False),
        *([(constraints, True)] if constraints else []),
    ])
    leaf = built("client", "Mesh", key, ca_key, [
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (x509.SubjectAlternativeName([x509.DNSName(NAME)]), False),
        (x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.CLIENT_AUTH]), False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()), False),
    ])
    return ca, leaf


def by_cryptography(ca, leaf):
    verifier = verification.PolicyBuilder().store(verification.Store([ca])).build_client_verifier()
    try:
        verifier.verify(leaf, [])
    except verification.VerificationError as error:
        return f"refused: {error}"
    return "accepted"


def by_openssl(ca, leaf):
    Path("ca.pem").write_bytes(ca.public_bytes(Encoding.PEM))
    Path("leaf.pem").write_bytes(leaf.public_bytes(Encoding.PEM))
    ran = subprocess.run(
        ["openssl", "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", "ca.pem", "leaf.pem"],
        capture_output=True, text=True, check=False,
    )
    return "accepted" if ran.returncode == 0 else f"refused: {ran.stderr.strip()}"


seen = {}
for title, constraints in {
    "no constraint": None,
    "mesh.example.com permitted": x509.NameConstraints([x509.DNSName("mesh.example.com")], None),
    "other.example excluded": x509.NameConstraints(None, [x509.DNSName("other.example")]),
}.items():
    certificates = chain(constraints)
    seen[title] = by_cryptography(*certificates), by_openssl(*certificates)
    print(f"{NAME}, {title}: cryptography: {seen[title][0]}; OpenSSL: {seen[title][1]}")

assert seen.pop("no constraint") == ("accepted", "accepted")
assert all("malformed" in ours and theirs == "accepted" for ours, theirs in seen.values()), "this has changed"
PY
env/bin/python seen.py
