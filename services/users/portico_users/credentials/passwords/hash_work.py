"""The work of a hash by its parameters, and the most that is verified: fixed limits, equal on every machine (MG-12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from portico_users.credentials.passwords.hash_comparisons import PHPASS_LETTERS

Parts = Mapping[str, str]
"""The named groups of a format's pattern, empty where absent."""


def argon2_work(parts: Parts) -> float:
    return int(parts["m"]) * int(parts["t"])


def is_cheap_argon2(parts: Parts) -> bool:
    memory, passes, lanes = int(parts["m"]), int(parts["t"]), int(parts["p"])
    return memory <= 131_072 and memory * passes <= 524_288 and 1 <= lanes <= 16 and memory >= 8 * lanes


def scrypt_work(parts: Parts) -> float:
    return float(2 ** int(parts["ln"]) * int(parts["r"]) * int(parts["p"]))


def is_cheap_scrypt(parts: Parts) -> bool:
    n, r, p = int(parts["ln"]), int(parts["r"]), int(parts["p"])
    return 1 <= n <= 17 and 1 <= r <= 16 and 1 <= p <= 16 and 2**n * r <= 2**20 and 2**n * r * p <= 2**22


def firebase_work(parts: Parts) -> float:
    return float(2 ** int(parts["ln"]) * int(parts["r"]))


def is_of_firebase(parts: Parts) -> bool:
    """Firebase's own limit: 16 MiB."""
    return 1 <= int(parts["ln"]) <= 14 and 1 <= int(parts["r"]) <= 8


def is_cheap_bcrypt(parts: Parts) -> bool:
    return 4 <= int(parts["cost"]) <= 14


def bcrypt_work(parts: Parts) -> float:
    return float(2 ** int(parts["cost"]))


def phpass_up_to(most: int) -> Callable[[Parts], bool]:
    return lambda parts: 7 <= phpass_exponent(parts) <= most


def phpass_work(parts: Parts) -> float:
    return float(2 ** phpass_exponent(parts))


def rounds(parts: Parts) -> int:
    return int(parts["rounds"] or "5000")


def pbkdf2_work(parts: Parts) -> float:
    """A round of SHA-512 takes longer."""
    return rounds(parts) * (75 / 32 if parts["name"] == "sha512" else 1)


def rounds_up_to(most: int) -> Callable[[Parts], bool]:
    return lambda parts: rounds(parts) <= most


def phpass_exponent(parts: Parts) -> int:
    return PHPASS_LETTERS.index(parts["cost"])
