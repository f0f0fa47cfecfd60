"""LDIF (RFC 2849), as ``slapcat``, ``ldapsearch`` and ``db2ldif`` write it: people with the hashes of their passwords."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.placeholders import Placeholder, is_placeholder
from portico_conversion.reading.json_stream import LONGEST
from portico_conversion.reading.records import Record, read_record
from portico_conversion.reading.text_files import READ_ERRORS, describe, opened
from portico_conversion.users.converted_user import DISABLED, ConvertedUser
from portico_conversion.users.options import Options

NOT_LDIF: Final = "This line is not LDIF: an entry begins with `dn:`, and its lines are `name: value`."
CHANGES: Final = "This is a list of changes (changetype). Export the entries of the directory instead."
NO_PERSON: Final = "entries without a person"
PASSWORD: Final = "a password hash that cannot be imported"
SECOND: Final = "a second value"
GROUPS: Final = "groups"
ELSEWHERE: Final = "a value in another file"
BINARY: Final = "a value that is not text"

_LINE: Final = re.compile(r"([A-Za-z0-9.;_-]+):(:|<)? *(.*)", re.DOTALL)
_START: Final = re.compile(r"\ufeff?(?:(?:#[^\n]*|\s*)\n)*(?:version: *1\s|dn::? )", re.IGNORECASE)
_PEOPLE: Final = frozenset(
    {"person", "organizationalperson", "inetorgperson", "posixaccount", "account", "user", "shadowaccount"}
)
_COMPUTERS: Final = frozenset({"computer"})
_SCHEME: Final = re.compile(r"\{([A-Za-z0-9._-]+)\}(.*)", re.DOTALL)
_HASHES: Final = frozenset(
    [
        "ssha",
        "ssha256",
        "ssha512",
        "bcrypt",
        "argon2",
        "argon2i",
        "argon2id",
        "sha256-crypt",
        "sha512-crypt",
        "md5-crypt",
        "blf-crypt",
    ]
)
_CRYPT: Final = re.compile(r"\$(?!y\$|gy\$|7\$)")
"""Hashes of crypt(3) except DES, yescrypt and its scrypt."""

_LOCKED_FOR_GOOD: Final = "000001010000Z"
_ACCOUNT_DISABLED: Final = 2
_USUAL: Final = frozenset(
    [
        "dn",
        "objectclass",
        "structuralobjectclass",
        "cn",
        "entrycsn",
        "entrydn",
        "creatorsname",
        "createtimestamp",
        "modifiersname",
        "modifytimestamp",
        "subschemasubentry",
        "hassubordinates",
        "numsubordinates",
        "nsuniqueid",
        "parentid",
        "entryid",
        "pwdchangedtime",
        "passwordexpirationtime",
        "uidnumber",
        "gidnumber",
        "homedirectory",
        "loginshell",
        "gecos",
        "shadowlastchange",
        "shadowmin",
        "shadowmax",
        "shadowwarning",
        "shadowinactive",
        "shadowexpire",
        "shadowflag",
    ]
)


class _DirectoryEntry(Record, frozen=True, rename=None):
    """The attributes have lower case, because LDAP compares their names without it."""

    dn: list[str]
    uid: list[str] = []
    samaccountname: list[str] = []
    mail: list[str] = []
    givenname: list[str] = []
    sn: list[str] = []
    displayname: list[str] = []
    cn: list[str] = []
    telephonenumber: list[str] = []
    mobile: list[str] = []
    preferredlanguage: list[str] = []
    entryuuid: list[str] = []
    userpassword: list[str] = []
    memberof: list[str] = []
    nsaccountlock: list[str] = []
    pwdaccountlockedtime: list[str] = []
    useraccountcontrol: list[str] = []

    usual = _USUAL

    @property
    def title(self) -> str:
        return _first(self.uid) or _first(self.mail) or _first(self.dn)

    @property
    def omitted(self) -> str:
        control = _first(self.useraccountcontrol)
        is_disabled = (
            _first(self.nsaccountlock).lower() == "true"
            or _LOCKED_FOR_GOOD in self.pwdaccountlockedtime
            or (control.isdecimal() and int(control[:10]) & _ACCOUNT_DISABLED)
        )
        return DISABLED if is_disabled else ""


def is_ldif(start: str) -> bool:
    """Returns whether a file that begins with this text is LDIF."""
    return _START.match(start) is not None


def read_persons(files: Sequence[Path], _options: Options, findings: Findings) -> Iterator[ConvertedUser]:
    """Raises `SourceError` for a file that is not LDIF."""
    for path in files:
        found = False
        for place, entry in _entries(path, findings):
            found = True
            if person := _person(place, entry, findings):
                yield person
        if not found:
            raise SourceError(path.name, "The file has no entries: it is not LDIF.")


def _entries(path: Path, findings: Findings) -> Iterator[tuple[Place, dict[str, list[str]]]]:
    place, entry = Place(path.name, 1), dict[str, list[str]]()
    for where, line in _unfolded(path):
        if not line:
            if entry:
                yield place, entry
            entry = {}
            continue
        found = _LINE.fullmatch(line)
        if not found:
            raise SourceError(where, NOT_LDIF)
        name, kind, text = found[1].lower(), found[2], found[3]
        if not entry and name == "version":
            continue
        if not entry and name != "dn":
            raise SourceError(where, NOT_LDIF)
        if name == "changetype":
            raise SourceError(where, CHANGES)
        place = where if not entry else place
        if (value := _value(where, found[1], kind, text, findings)) is not None:
            entry.setdefault(name, []).append(value)
    if entry:
        yield place, entry


def _unfolded(path: Path) -> Iterator[tuple[Place, str]]:
    """Yields the lines without comments, each with its continuations; an empty line ends an entry."""
    waiting, number, first = "", 0, 1
    with opened(path) as file:
        try:
            while line := file.readline(LONGEST):
                number += 1
                line = line.rstrip("\r\n")
                if line.startswith(" ") and waiting:
                    waiting += line[1:]
                else:
                    if waiting and not waiting.startswith("#"):
                        yield Place(path.name, first), waiting
                    if not line:
                        yield Place(path.name, number), ""
                    waiting, first = line, number
                if len(waiting) > LONGEST:
                    raise SourceError(Place(path.name, first), "This value is too long.")
        except READ_ERRORS as error:
            raise SourceError(Place(path.name, number + 1), describe(error)) from None
    if waiting and not waiting.startswith("#"):
        yield Place(path.name, first), waiting


def _value(place: Place, name: str, kind: str | None, text: str, findings: Findings) -> str | None:
    """Returns the text of a value; None, and a report, for one that has none."""
    if kind == "<":  # a URL, which is never opened
        findings.not_moved(place, "", ELSEWHERE, name)
        return None
    if kind == ":":
        try:
            text = base64.b64decode(text, validate=True).decode()
        except binascii.Error:
            raise SourceError(place, "This value is not base64.") from None
        except UnicodeDecodeError:
            findings.not_moved(place, "", BINARY, name)
            return None
    return Placeholder(text, place.line) if is_placeholder(text) else text


def _person(place: Place, entry: dict[str, Any], findings: Findings) -> ConvertedUser | None:
    classes = {one.lower() for one in entry.get("objectclass", ())}
    if not classes & _PEOPLE or classes & _COMPUTERS:
        names = sorted(classes - {"top"})
        findings.counted(NO_PERSON, names[-1] if names else "objectClass is missing")
        return None
    user = read_record(entry, _DirectoryEntry, place, findings)
    if user is None:
        return None
    first, last, full = _names(user)
    person = ConvertedUser(
        place=place,
        id=_first(user.entryuuid),
        user_name=_first(user.uid) or _first(user.samaccountname),
        email=_first(user.mail),
        first_name=first,
        last_name=last,
        full_name=full,
        phone=_first(user.telephonenumber) or _first(user.mobile),
        language=_first(user.preferredlanguage),
    )
    for name in ("uid", "mail", "givenname", "sn", "displayname", "telephonenumber", "mobile", "userpassword"):
        for value in getattr(user, name)[1:]:
            findings.not_moved(place, user.title, SECOND, name if name == "userpassword" else f"{name}: {value}")
    if user.memberof:
        findings.not_moved(place, user.title, GROUPS, ", ".join(user.memberof))
    _set_password(person, _first(user.userpassword), findings)
    return person


def _names(user: _DirectoryEntry) -> tuple[str, str, str]:
    """Returns first, last and full name. A full name that lacks the last one is the first name."""
    first, last, full = _first(user.givenname), _first(user.sn), _first(user.displayname) or _first(user.cn)
    if not first and last.casefold() in full.casefold():
        return "", "", full
    return first or full, last, full


def _set_password(person: ConvertedUser, text: str, findings: Findings) -> None:
    found = _SCHEME.fullmatch(text)
    if not found:
        person.password = text
    elif found[1].lower() in _HASHES or (found[1].lower() == "crypt" and _CRYPT.match(found[2])):
        person.hash = text
    else:
        findings.not_moved(person.place, person.name, PASSWORD, f"{{{found[1]}}}")


def _first(values: Sequence[str]) -> str:
    return values[0] if values else ""
