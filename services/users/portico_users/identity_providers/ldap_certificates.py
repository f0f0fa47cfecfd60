from __future__ import annotations

from cryptography.x509 import load_pem_x509_certificates


def ends_of(pem: str) -> list[float]:
    """Returns the latest end of each subject in unix seconds; empty for certificates that cannot be read."""
    ends: dict[bytes, float] = {}
    try:
        for one in load_pem_x509_certificates(pem.encode()):
            subject = one.subject.public_bytes()
            ends[subject] = max(ends.get(subject, 0.0), one.not_valid_after_utc.timestamp())
    except ValueError:
        return []
    return list(ends.values())
