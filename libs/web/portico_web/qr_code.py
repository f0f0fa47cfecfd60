"""What is shown of the secret of an authenticator app."""

from __future__ import annotations

from typing import Final

_GROUP: Final = 4


def qr_code(uri: str) -> str:
    """The QR code as a data URI, dark on white whatever the colours of the page are, since cameras need that."""
    # Most processes draw none for hours, and do without the library (decision 0044).
    import segno  # noqa: PLC0415 - see above

    return str(segno.make(uri, error="m", micro=False).svg_data_uri(scale=5, border=4, dark="#000", light="#fff"))


def grouped(secret: str) -> str:
    """A secret with blanks between groups of four letters, so that it can be typed; apps ignore them."""
    return " ".join(secret[start : start + _GROUP] for start in range(0, len(secret), _GROUP))
