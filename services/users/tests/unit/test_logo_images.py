"""Uploaded images: only still pixels are stored, re-encoded."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image, PngImagePlugin
from portico_oauth.errors import ServiceError
from portico_users.policies.logos import MAX_STORED, LogoImages

HTML = b"<!doctype html><script>alert(1)</script>"


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "RGBA", **options: Any) -> bytes:
    image = Image.new(mode, size)
    image.paste(
        Image.new(mode, (size[0] // 2, size[1]), {"RGBA": (200, 30, 60, 255), "RGB": (200, 30, 60)}.get(mode, 1))
    )
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def claiming(width: int, height: int) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 10_000)) + chunk(b"IEND", b"")


def moving(kind: str) -> bytes:
    file = io.BytesIO()
    first, second = (Image.new("RGBA", (8, 8), color) for color in ((0, 0, 0, 255), (255, 0, 0, 255)))
    first.save(file, kind, save_all=True, append_images=[second], duration=100)
    return file.getvalue()


def with_texts() -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "taken at home")
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    return picture(pnginfo=info, exif=exif, icc_profile=b"taken at home" * 20)


def with_bomb() -> bytes:
    text = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * 30_000_000, 9))
    whole = picture()
    return whole[:33] + text + whole[33:]


REFUSED: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"no image",
    "svg": lambda: b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "html": lambda: HTML,
    "gif": lambda: picture("GIF", mode="RGB"),
    "jpeg": lambda: picture("JPEG", mode="RGB"),
    "bmp": lambda: picture("BMP", mode="RGB"),
    "truncated": lambda: picture(size=(300, 300))[:-40],
    "truncated webp": lambda: picture("WEBP", size=(300, 300))[:-40],
    "broken sum": lambda: picture()[:-20] + b"\0" * 20,
    "head alone": lambda: picture()[:33],
    "html before": lambda: HTML + picture(),
    "too wide": lambda: picture(size=(1025, 1)),
    "too high": lambda: picture("WEBP", size=(1, 1025)),
    "claims 30,000 by 30,000": lambda: claiming(30_000, 30_000),
    "claims the most": lambda: claiming(2**31 - 1, 2**31 - 1),
    "too few pixels": lambda: claiming(1_000, 1_000),
    "text bomb": with_bomb,
    "moving png": lambda: moving("PNG"),
    "moving webp": lambda: moving("WEBP"),
}


async def test_invalid_images_are_refused() -> None:
    """Other formats, broken and animated images, and those that are or claim to be too large are refused (MG-20)."""
    errors = {name: await _error_id(create()) for name, create in REFUSED.items()}

    assert errors == dict.fromkeys(REFUSED, "USER-903")


async def _error_id(content: bytes) -> str:
    try:
        await LogoImages().renew(content)
    except ServiceError as error:
        return error.id
    return ""


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (picture(), "png"),
        (picture(mode="RGB"), "png"),
        (picture(mode="L"), "png"),
        (picture(mode="P"), "png"),
        (picture(mode="1"), "png"),
        (picture(size=(1024, 1024)), "png"),
        (picture("WEBP"), "webp"),
        (picture("WEBP", mode="RGB", lossless=True), "webp"),
    ],
)
async def test_image_is_re_encoded_in_its_format(content: bytes, kind: str) -> None:
    """Size and format are retained, and the result can be read."""
    renewed = await LogoImages().renew(content)
    before, after = Image.open(io.BytesIO(content)), Image.open(io.BytesIO(renewed.content))

    assert (renewed.kind, str(after.format).lower(), after.size) == (kind, kind, before.size)


async def test_pixels_are_lossless() -> None:
    """Every pixel is retained, including transparent ones."""
    renewed = await LogoImages().renew(picture())
    before, after = (Image.open(io.BytesIO(content)).convert("RGBA") for content in (picture(), renewed.content))

    assert before.tobytes() == after.tobytes()


@pytest.mark.parametrize("content", [picture() + HTML, with_texts(), picture("WEBP", exif=b"Exif\0\0taken at home")])
async def test_metadata_of_the_file_is_removed(content: bytes) -> None:
    """Trailing data, texts, positions and profiles are not stored."""
    renewed = await LogoImages().renew(content)

    assert b"script" not in renewed.content
    assert b"taken" not in renewed.content
    assert set(Image.open(io.BytesIO(renewed.content)).info) <= {"loop", "background", "timestamp", "duration"}


async def test_large_images_are_compressed() -> None:
    """An image that does not fit losslessly is stored in high quality, or refused."""
    noise = Image.effect_noise((500, 400), 90).convert("RGB")
    file = io.BytesIO()
    noise.save(file, "WEBP", quality=50)
    renewed = await LogoImages().renew(file.getvalue())

    assert len(renewed.content) <= MAX_STORED
