"""Which column of a CSV file is which field of a user, for the console and `portico user import --csv`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_contracts.phone_numbers import dialled


class Target(NamedTuple):
    """A field of a user; `path` is its place in a row, which errors name, and `spellings` are titles of columns."""

    word: str
    title: str
    path: str
    spellings: tuple[str, ...]


TARGETS: Final = (
    Target(
        "first", "First name", "profile.givenName",
        ("first name", "given name", "forename", "first", "vorname", "prenom", "nombre", "nome", "voornaam", "imie"),
    ),
    Target(
        "last", "Last name", "profile.familyName",
        ("last name", "family name", "surname", "last", "nachname", "familienname", "nom", "nom de famille", "apellido",
         "apellidos", "cognome", "achternaam", "nazwisko", "sobrenome"),
    ),
    Target(
        "name", "Full name", "profile.displayName",
        ("name", "full name", "display name", "vollstandiger name", "anzeigename", "nom complet", "nombre completo"),
    ),
    Target(
        "email", "Email", "email.email",
        ("email", "user email", "e mail", "mail", "email address", "e mail address", "primary email", "work email", "e mail adresse",
         "courriel", "adresse e mail", "correo", "correo electronico", "indirizzo email"),
    ),
    Target(
        "user-name", "User name", "username",
        ("user name", "username", "user login", "login", "login name", "user principal name", "userprincipalname", "benutzername",
         "nom d utilisateur", "nombre de usuario", "nome utente", "gebruikersnaam"),
    ),
    Target(
        "phone", "Phone", "phone.phone",
        ("phone", "phone number", "telephone", "mobile", "mobile phone", "work phone", "primary phone", "telefon",
         "telefonnummer", "handy", "telefono", "telefoon", "telefone"),
    ),
    Target(
        "language", "Language", "profile.preferredLanguage",
        ("language", "preferred language", "locale", "sprache", "langue", "idioma", "lingua", "taal", "jezyk"),
    ),
    Target(
        "verified", "Email verified", "email.isVerified",
        ("email verified", "verified", "is email verified", "email is verified"),
    ),
    Target(
        "hash", "Password hash", "hashedPassword.hash",
        ("password hash", "user pass", "hash", "hashed password", "passwordhash", "passwort hash", "encrypted password"),
    ),
    Target("groups", "Groups", "groups", ()),
)  # fmt: skip
BY_WORD: Final = {one.word: one for one in TARGETS}

_YES: Final = frozenset({"true", "yes", "1", "y", "ja", "oui", "si", "x"})
_BRACKETS: Final = re.compile(r"[\[(].*?[\])]")
_NOT_WORDS: Final = re.compile(r"[^a-z0-9]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def guessed(titles: Sequence[str]) -> list[str]:
    """The word of the target of each column; empty for a column that is not imported."""
    known = {_plain(spelling): one.word for one in TARGETS for spelling in one.spellings}
    found: list[str] = []
    for title in titles:
        word = known.get(_plain(title), "")
        found.append("" if word in found else word)
    return found


def _plain(title: str) -> str:
    """``First Name [Required]``, ``firstName`` and ``FIRST_NAME`` become ``firstname``."""
    text = _CAMEL.sub(" ", _BRACKETS.sub("", title)).casefold().replace("ß", "ss")
    without_accents = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return _NOT_WORDS.sub("", without_accents)


def body_of(values: Mapping[str, str], *, verified: bool) -> dict[str, Any]:
    """The body of ``POST /v2/users/human``; `verified` applies to rows without a column for it."""
    first, last, name = (values.get(one, "") for one in ("first", "last", "name"))
    if name and not (first or last):
        first, _, last = name.rpartition(" ") if " " in name else (name, "", "")
        first, name = first or last, ""
    is_verified = values["verified"].casefold() in _YES if values.get("verified") else verified
    profile = {"givenName": first, "familyName": last, "displayName": name}
    language = values.get("language", "").replace("_", "-")
    body: dict[str, Any] = {
        "profile": {key: value for key, value in (profile | {"preferredLanguage": language}).items() if value},
        "email": {"email": values.get("email", "")} | ({"isVerified": True} if is_verified else {}),
    }
    body |= {"username": values["user-name"]} if values.get("user-name") else {}
    body |= {"phone": {"phone": dialled(values["phone"])}} if values.get("phone") else {}
    groups = [one.strip() for one in values.get("groups", "").split(";") if one.strip()]
    body |= {"groups": groups} if groups else {}
    return body | ({"hashedPassword": {"hash": values["hash"]}} if values.get("hash") else {})


def title_of(path: str) -> str:
    """The title of the column that an error is about; the path itself where no column is."""
    aliases = {"profile.firstName": "profile.givenName", "profile.lastName": "profile.familyName"}
    return next((one.title for one in TARGETS if one.path == aliases.get(path, path)), path)
