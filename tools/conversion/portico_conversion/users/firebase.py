"""Firebase: ``firebase auth:export users.json`` (https://firebase.google.com/docs/cli/auth) and hash parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from portico_oauth.surrogates import find_lone_surrogate

from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.reading.json_stream import JsonStream
from portico_conversion.reading.records import Record, read_record
from portico_conversion.reading.text_files import READ_ERRORS, describe, opened
from portico_conversion.users import credentials
from portico_conversion.users.converted_user import DISABLED, ConvertedUser, Link
from portico_conversion.users.options import Options

PASSWORD: Final = "a password hash that does not match the hash parameters"

_OF_NEARLY_ALL: Final = frozenset({"createdAt", "lastSignedInAt"})
_NO_PROVIDERS: Final = ("password", "phone")
_SETTING: Final = re.compile(r"^\s*(\w+)\s*:\s*\"?([^\s,\"]*)\"?\s*,?\s*$", re.MULTILINE)


class HashConfig(NamedTuple):
    signer_key: bytes
    salt_separator: bytes
    rounds: int
    mem_cost: int

    def __repr__(self) -> str:
        """Omits the signer key, which is secret."""
        return "HashConfig(...)"


class _Provider(Record, frozen=True):
    provider_id: str
    raw_id: str = ""
    email: str = ""
    display_name: str = ""
    photo_url: str = ""


class _User(Record, frozen=True):
    local_id: str
    email: str = ""
    email_verified: bool = False
    password_hash: str = ""
    salt: str = ""
    display_name: str = ""
    photo_url: str = ""
    phone_number: str = ""
    disabled: bool = False
    custom_attributes: str = ""
    provider_user_info: list[_Provider] = []

    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return self.email or self.local_id

    @property
    def omitted(self) -> str:
        return DISABLED if self.disabled else ""


def read_hash_config(path: Path) -> HashConfig:
    """Parses the parameters as shown by the console: ``hash_config { algorithm: SCRYPT, … }``."""
    with opened(path) as file:
        try:
            given = dict(_SETTING.findall(file.read(65_536)))
        except READ_ERRORS as error:
            raise SourceError(path.name, describe(error)) from None
    if given.get("algorithm") != "SCRYPT":
        raise SourceError(path.name, "The algorithm is not SCRYPT, or these are not Firebase hash parameters.")
    try:
        key = credentials.decoded(given["base64_signer_key"])
        separator = credentials.decoded(given["base64_salt_separator"])
        config = HashConfig(key, separator, int(given["rounds"]), int(given["mem_cost"]))
    except KeyError as error:
        raise SourceError(path.name, f"{error.args[0]} is missing.") from None
    except ValueError:
        raise SourceError(path.name, "A key is not base64, or a number is invalid.") from None
    if not (len(config.signer_key) == 64 and 1 <= config.rounds <= 8 and 1 <= config.mem_cost <= 14):
        raise SourceError(path.name, "The signer key must have 64 bytes, rounds must be 1 to 8 and mem_cost 1 to 14.")
    return config


def read_persons(files: Sequence[Path], options: Options, findings: Findings) -> Iterator[ConvertedUser]:
    """Raises `SourceError` for a file that is not an export, and for hashes without parameters."""
    config = read_hash_config(options.hash_config) if options.hash_config else None
    for path in files:
        with opened(path) as text:
            stream = JsonStream(text, path.name)
            yield from _users(stream, config, findings)
            stream.end()


def _users(stream: JsonStream, config: HashConfig | None, findings: Findings) -> Iterator[ConvertedUser]:
    place, found = stream.place, False
    if stream.peek() != "{":
        raise SourceError(place, "This is not JSON from `firebase auth:export`. CSV exports are not supported.")
    for name in stream.members():
        if name != "users":
            stream.skip()
            findings.not_moved(place, "", "a member of the file", name)
            continue
        found = True
        for _ in stream.items():
            where = stream.place
            if person := _user(where, stream.value(), config, findings):
                yield person
    if not found:
        raise SourceError(place, "The file has no users: it is not a Firebase export.")


def _user(place: Place, value: Any, config: HashConfig | None, findings: Findings) -> ConvertedUser | None:
    user = read_record(value, _User, place, findings)
    if user is None:
        return None
    person = ConvertedUser(
        place=place,
        id=user.local_id,
        email=user.email,
        email_verified=user.email_verified,
        full_name=user.display_name,
        phone=user.phone_number,
        phone_verified=True,
        picture=user.photo_url,
        metadata=_claims(user.custom_attributes),
        links=[
            Link(one.provider_id, one.raw_id, one.email or one.display_name)
            for one in user.provider_user_info
            if one.provider_id not in _NO_PROVIDERS
        ],
    )
    if user.password_hash:
        _set_hash(person, user, config, findings)
    return person


def _set_hash(person: ConvertedUser, user: _User, config: HashConfig | None, findings: Findings) -> None:
    if config is None:
        raise SourceError(
            person.place, "This user has a password hash. Set --hash-config to the file with the hash parameters."
        )
    try:
        salt = credentials.decoded(user.salt) + config.salt_separator
        digest = credentials.decoded(user.password_hash)
        person.hash = credentials.firebase_scrypt((config.mem_cost, config.rounds), salt, digest, config.signer_key)
    except ValueError:
        findings.not_moved(person.place, person.name, PASSWORD)


def _claims(text: str) -> Mapping[str, Any]:
    if not text:
        return {}
    try:
        claims = json.loads(text)
    except (ValueError, RecursionError):
        claims = None
    is_text = find_lone_surrogate(text, claims) is None
    return claims if isinstance(claims, dict) and is_text else {"customAttributes": text}
