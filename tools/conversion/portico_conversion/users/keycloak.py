"""Keycloak: ``kc.sh export``, a realm with its users in one file or in several (``realm-users-0.json``).

The members are those of UserRepresentation and CredentialRepresentation; the secret part of a credential is
JSON in a string. https://www.keycloak.org/server/importExport
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.reading.json_stream import JsonStream
from portico_conversion.reading.keycloak_realms import opened_realms
from portico_conversion.reading.records import NO_PEOPLE, Record, read_embedded, read_name, read_record
from portico_conversion.users import credentials
from portico_conversion.users.converted_user import DISABLED, ConvertedUser, Link
from portico_conversion.users.options import Options

OF_MASTER: Final = "the realm master: its users administer Keycloak"
SEVERAL: Final = "The export has several realms. Name the one to convert with --realm."
UNNAMED: Final = "The users come before the name of their realm: use the export as Keycloak writes it."
SERVICE_ACCOUNT: Final = "the service account of a client, which `portico convert` converts"
CREDENTIAL: Final = "a credential that is neither a password nor an authenticator app"
TOTP: Final = "an unsupported or second authenticator app"
PASSWORD: Final = "a password without a supported hash"
SECOND_PASSWORD: Final = "a second password"
DIRECTORY: Final = "the password is in a directory: connect the directory instead"
ROLES: Final = "roles"
GROUPS: Final = "groups"
FEDERATED: Final = "federatedUsers of the realm"
ACTION: Final = "a required action"

_DIGESTS: Final = {"pbkdf2": "sha1", "pbkdf2-sha256": "sha256", "pbkdf2-sha512": "sha512"}
_VARIANTS: Final = {"id": "id", "i": "i"}
_BUILT_IN_ROLES: Final = ("offline_access", "uma_authorization")
_BUILT_IN_PREFIX: Final = "default-roles-"
_OF_NEARLY_ALL: Final = frozenset(
    {
        "createdTimestamp",
        "totp",
        "disableableCredentialTypes",
        "notBefore",
        "access",
        "self",
        "origin",
    }
)
_OF_CREDENTIALS: Final = frozenset(
    {"id", "createdDate", "userLabel", "priority", "device", "counter", "digits", "period", "config"}
)
_FEDERATED: Final = "federatedUsers"
_UPDATE_PASSWORD: Final = "UPDATE_PASSWORD"
_VERIFY_EMAIL: Final = "VERIFY_EMAIL"


class _Credential(Record, frozen=True):
    type: str = ""
    value: str = ""
    temporary: bool = False
    secret_data: str = ""
    credential_data: str = ""
    # Until version 7, these instead of the two JSON strings.
    hashed_salted_value: str = ""
    salt: str = ""
    hash_iterations: int = 0
    algorithm: str = ""

    usual = _OF_CREDENTIALS


class _Identity(Record, frozen=True):
    identity_provider: str
    user_id: str
    user_name: str = ""


class _User(Record, frozen=True):
    id: str = ""
    username: str = ""
    enabled: bool = False
    email: str = ""
    email_verified: bool = False
    first_name: str = ""
    last_name: str = ""
    attributes: dict[str, list[str] | str] = {}
    credentials: list[_Credential] = []
    required_actions: list[str] = []
    realm_roles: list[str] = []
    client_roles: dict[str, list[str]] = {}
    groups: list[str] = []
    federated_identities: list[_Identity] = []
    federation_link: str = ""
    service_account_client_id: str = ""

    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return self.username or self.email or self.id

    @property
    def omitted(self) -> str:
        if self.service_account_client_id:
            return SERVICE_ACCOUNT
        return "" if self.enabled else DISABLED


class _Secret(Record, frozen=True):
    value: str = ""
    salt: str = ""


class _Data(Record, frozen=True):
    algorithm: str = ""
    hash_iterations: int = 0
    additional_parameters: dict[str, list[str]] = {}


class _OtpData(Record, frozen=True):
    sub_type: str = ""
    digits: int = 0
    period: int = 0
    algorithm: str = ""
    secret_encoding: str = ""


_OUR_CODES: Final = ("totp", 6, 30, "HmacSHA1")


def read_persons(files: Sequence[Any], options: Options, findings: Findings) -> Iterator[ConvertedUser]:
    """Reads the users of one realm. Raises `SourceError` for a file that is not an export, or has several realms."""
    chosen = _Chosen(options.realm, findings)
    for path in files:
        with opened_realms(path, findings) as stream:
            for _ in each_realm(stream):
                yield from _realm(stream, chosen, findings)
            stream.end()
    if options.realm and options.realm not in chosen.names:
        raise SourceError(files[0].name, f"The export has no realm {options.realm}.")


def each_realm(stream: JsonStream) -> Iterator[None]:
    if stream.peek() == "[":
        yield from stream.items()
    else:
        yield None


class _Chosen:
    """Rows do not name their realm, so all must be of one."""

    def __init__(self, wanted: str, findings: Findings) -> None:
        self.names = set[str]()
        self._with_users = set[str]()
        self._wanted = wanted
        self._findings = findings

    def takes(self, place: Place, name: str) -> bool:
        self.names.add(name)
        if self._wanted and not name:
            raise SourceError(place, UNNAMED)
        if name == "master" and not self._wanted:
            self._findings.left_out(place, "realm master", OF_MASTER)
            return False
        return name == (self._wanted or name)

    def add_user(self, place: Place, name: str) -> None:
        self._with_users.add(name)
        if len(self._with_users) > 1:
            raise SourceError(place, SEVERAL)


def _realm(stream: JsonStream, chosen: _Chosen, findings: Findings) -> Iterator[ConvertedUser]:
    place, realm, taken = stream.place, "", None
    for name in stream.members():
        if name == "realm":
            realm = read_name(stream.value(), name, place, findings)
            taken = chosen.takes(place, realm)
        elif name == "users" and taken is not False:
            taken = taken or chosen.takes(place, realm)
            for _ in stream.items():
                where = stream.place
                chosen.add_user(where, realm)
                if person := _user(where, stream.value(), findings):
                    yield person
        else:
            where, number = stream.place, stream.skip()
            if name == _FEDERATED and number and taken is not False:
                findings.not_moved(where, "", FEDERATED, f"{number} of them")
            elif taken is not False:
                findings.counted(NO_PEOPLE, name)
    if taken is None:
        raise SourceError(place, "The file has neither a realm nor users: it is not a Keycloak export.")


def _user(place: Place, value: Any, findings: Findings) -> ConvertedUser | None:
    user = read_record(value, _User, place, findings)
    if user is None:
        return None
    attributes = {key: _single(text) for key, text in user.attributes.items()}
    person = ConvertedUser(
        place=place,
        id=user.id,
        user_name=user.username,
        email=user.email,
        email_verified=user.email_verified,
        first_name=user.first_name,
        last_name=user.last_name,
        language=_taken(attributes, "locale"),
        phone=_taken(attributes, "phoneNumber"),
        phone_verified=_taken(attributes, "phoneNumberVerified") == "true",
        metadata=attributes,
        links=[Link(one.identity_provider, one.user_id, one.user_name) for one in user.federated_identities],
    )
    _set_credentials(person, user, findings)
    _report(person, user, findings)
    return person


def _taken(attributes: dict[str, Any], name: str) -> str:
    return str(attributes.pop(name)) if isinstance(attributes.get(name), str) else ""


def _single(value: list[str] | str) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _set_credentials(person: ConvertedUser, user: _User, findings: Findings) -> None:
    for one in user.credentials:
        if one.type == "otp":
            _set_totp(person, one, findings)
        elif one.type != "password":
            findings.not_moved(person.place, person.name, CREDENTIAL, one.type)
        elif person.hash or person.password:
            findings.not_moved(person.place, person.name, SECOND_PASSWORD)
        elif one.value:
            person.password, person.change_required = one.value, one.temporary
        else:
            try:
                person.hash = _hash(one)
            except (ValueError, KeyError):
                findings.not_moved(person.place, person.name, PASSWORD, _algorithm(one))
    if _UPDATE_PASSWORD in user.required_actions:
        person.change_required = True


def _set_totp(person: ConvertedUser, one: _Credential, findings: Findings) -> None:
    """The secret is plain text, unless it was imported into Keycloak (OTPCredentialModel)."""
    try:
        secret = read_embedded(one.secret_data, _Secret).value
        data = read_embedded(one.credential_data, _OtpData)
        if person.totp_secret or (data.sub_type, data.digits, data.period, data.algorithm) != _OUR_CODES:
            raise ValueError("another kind")
        is_encoded = data.secret_encoding.upper() == "BASE32"
        person.totp_secret = credentials.totp_secret(credentials.from_base32(secret) if is_encoded else secret.encode())
    except ValueError:
        findings.not_moved(person.place, person.name, TOTP)


def _algorithm(one: _Credential) -> str:
    try:
        return read_embedded(one.credential_data, _Data).algorithm
    except ValueError:
        return one.algorithm


def _hash(one: _Credential) -> str:
    """Raises ValueError or KeyError for another kind of credential."""
    if one.hashed_salted_value:
        parts = credentials.decoded(one.salt), credentials.decoded(one.hashed_salted_value)
        return credentials.pbkdf2(_DIGESTS[one.algorithm], one.hash_iterations, *parts)
    secret = read_embedded(one.secret_data, _Secret)
    data = read_embedded(one.credential_data, _Data)
    if secret.value.startswith("$2"):  # bcrypt, by an extension
        return secret.value
    salt, digest = credentials.decoded(secret.salt), credentials.decoded(secret.value)
    if data.algorithm != "argon2":
        return credentials.pbkdf2(_DIGESTS[data.algorithm], data.hash_iterations, salt, digest)
    return _argon2(data, salt, digest)


def _argon2(data: _Data, salt: bytes, digest: bytes) -> str:
    given: Mapping[str, str] = {name: values[0] for name, values in data.additional_parameters.items() if values}
    if given.get("version", "1.3") != "1.3":
        raise ValueError("another version of Argon2")
    costs = int(given["memory"]), data.hash_iterations, int(given["parallelism"])
    return credentials.argon2(_VARIANTS[given["type"]], costs, salt, digest)


def _report(person: ConvertedUser, user: _User, findings: Findings) -> None:
    place, name = person.place, person.name
    roles = [one for one in user.realm_roles if one not in _BUILT_IN_ROLES and not one.startswith(_BUILT_IN_PREFIX)]
    roles += [f"{client}:{one}" for client, ones in user.client_roles.items() for one in ones]
    if roles:
        findings.not_moved(place, name, ROLES, ", ".join(roles))
    if user.groups:
        findings.not_moved(place, name, GROUPS, ", ".join(user.groups))
    for action in user.required_actions:
        if action not in {_UPDATE_PASSWORD, _VERIFY_EMAIL}:
            findings.not_moved(place, name, ACTION, action)
    if user.federation_link and not (person.hash or person.password):
        findings.not_moved(place, name, DIRECTORY)
