from __future__ import annotations

from typing import Final

_GROUP: Final = 4


def qr_code(uri: str) -> str:
    """Returns the QR code as a data URI, dark on white in every theme, as scanners require."""
    # Imported on demand: most processes rarely draw one (decision 0044).
    import segno  # noqa: PLC0415 - see above

    return str(segno.make(uri, error="m", micro=False).svg_data_uri(scale=5, border=4, dark="#000", light="#fff"))


def grouped(secret: str) -> str:
    """Groups the secret in fours for typing; apps ignore the blanks."""
    return " ".join(secret[start : start + _GROUP] for start in range(0, len(secret), _GROUP))
