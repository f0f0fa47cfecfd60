"""The reader of ``portico apply``: valid text becomes a document, errors have their place."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_contracts.apply import AppTypeName, Document, ResponseTypeName
from portico_contracts.documents import reading
from portico_contracts.documents.reading import DocumentError, read_document
from portico_contracts.documents.usual_yaml import read_usual
from portico_stack.installation import declared, demo
from portico_stack.installation.installation import load_or_create

PERSON = """\
organizations:
  - name: Acme
    humans:
      - profile: {firstName: Ada, lastName: Lovelace}
        email: {email: ada@acme.example, isVerified: true}
"""


def read(text: str, **environment: str) -> Document:
    return read_document(text, "acme.yaml", environment)


def test_complete_document_is_read() -> None:
    """Lists, mappings, names, numbers, booleans and text have the types that the structs declare."""
    document = read(
        """\
organizations:
  - name: Acme
    projects:
      - name: Shop
        oidcApps:
          - name: Web
            clientId: web
            redirectUris: ["https://shop.example/callback"]
            responseTypes: [OIDC_RESPONSE_TYPE_CODE, OIDC_RESPONSE_TYPE_ID_TOKEN]
            appType: OIDC_APP_TYPE_NATIVE
            devMode: true
            refreshTokenGraceSeconds: 30
    humans:
      - profile: {firstName: Ada, lastName: Lovelace}
        email: {email: ada@acme.example}
        attributes: {birthdate: 1815-12-10, address: {locality: London}}
        metadata: {team: engines}
        password: ~
"""
    )
    [organization] = document.organizations
    [project] = organization.projects or ()
    [app] = project.oidc_apps or ()
    [person] = organization.humans or ()

    assert app.redirect_uris == ("https://shop.example/callback",)
    assert app.response_types == (ResponseTypeName.CODE, ResponseTypeName.ID_TOKEN)
    assert app.app_type is AppTypeName.NATIVE
    assert (app.dev_mode, app.refresh_token_grace_seconds) == (True, 30)
    assert person.attributes is not None
    assert person.attributes.birthdate == "1815-12-10"
    assert person.metadata == {"team": "engines"}
    assert person.password is None


def test_escaped_surrogate_pair_is_one_character() -> None:
    """JSON, a subset of YAML, escapes a character beyond U+FFFF as two surrogates."""
    document = read(r'{"organizations": [{"name": "Fox \ud83e\udd8a"}]}')

    assert document.organizations[0].name == "Fox \N{FOX FACE}"


def test_invalid_utf8_in_the_environment_is_refused() -> None:
    """Python decodes an invalid UTF-8 byte as a lone surrogate, which is refused."""
    with pytest.raises(DocumentError) as raised:
        read("organizations:\n  - name: ${NAME}\n", NAME="\udcff")

    assert str(raised.value) == "acme.yaml:2:11: name contains an unpaired surrogate, which is not valid text"


def test_environment_variables_are_substituted() -> None:
    """``${NAME}`` is replaced inside values, and ``$${`` is a literal."""
    text = PERSON + "        username: ${FIRST}-${SECOND}\n        id: $${FIRST}\n"
    [person] = read(text, FIRST="a", SECOND="b: c").organizations[0].humans or ()

    assert person.username == "a-b: c"
    assert person.id == "${FIRST}"


LIVES = """\
oidcSettings:
  accessTokenLifetime: 9s
  idTokenLifetime: 9s
  refreshTokenIdleExpiration: 9s
  refreshTokenExpiration: 9s
"""

WRONG = {
    "unknown key, with the nearest known one": (
        "organizations:\n  - name: Acme\n    project: []\n",
        "acme.yaml:3:5: an entry of organizations has no field project; did you mean projects?",
    ),
    "unknown key at the top": (
        "things: []\n",
        "acme.yaml:1:1: the document has no field things; fields are organizations",
    ),
    "unknown key deep inside": (
        PERSON + "        phone: {phone: '+41791234567', verified: true}\n",
        "acme.yaml:6:40: phone has no field verified; did you mean isVerified?",
    ),
    "missing key": (
        "organizations:\n  - id: acme\n",
        "acme.yaml:2:5: an entry of organizations requires name",
    ),
    "the same key twice": (
        "organizations:\n  - name: Acme\n    id: a\n    name: Beta\n",
        "acme.yaml:4:5: name is repeated, first in line 2",
    ),
    "a list where a mapping has to be": (
        "organizations:\n  - [Acme]\n",
        "acme.yaml:2:5: an entry of organizations must be a mapping of names to values",
    ),
    "a mapping where a list has to be": (
        "organizations:\n  name: Acme\n",
        "acme.yaml:2:3: organizations must be a list",
    ),
    "text where a list has to be": (
        "organizations: Acme\n",
        "acme.yaml:1:16: organizations must be a list",
    ),
    "a list where text has to be": (
        "organizations:\n  - name: [Acme]\n",
        "acme.yaml:2:11: name must be text",
    ),
    "a number where text has to be": (
        "organizations:\n  - name: 2024\n",
        "acme.yaml:2:11: name must be text; put it in quotes",
    ),
    "a word YAML takes for a truth value": (
        "organizations:\n  - name: no\n",
        "acme.yaml:2:11: name must be text; put it in quotes",
    ),
    "nothing where text has to be": (
        "organizations:\n  - name:\n",
        "acme.yaml:2:10: name must be text; put it in quotes",
    ),
    "empty text": (
        "organizations:\n  - name: ''\n",
        "acme.yaml:2:11: name must have at least one character",
    ),
    "too long text": (
        f"organizations:\n  - name: {'x' * 201}\n",
        "acme.yaml:2:11: name must have at most 200 characters",
    ),
    "yes instead of true": (
        PERSON.replace("true", "yes"),
        "acme.yaml:5:54: isVerified must be true or false",
    ),
    "a truth value in quotes": (
        PERSON.replace("true", "'true'"),
        "acme.yaml:5:54: isVerified must be true or false, without quotes",
    ),
    "an unknown name": (
        PERSON.replace("lastName: Lovelace", "lastName: Lovelace, gender: FEMALE"),
        "acme.yaml:4:63: gender must be one of GENDER_UNSPECIFIED, GENDER_FEMALE, GENDER_MALE, GENDER_DIVERSE",
    ),
    "a clock that is off by too much": (
        "organizations:\n  - {name: A, projects: [{name: P, oidcApps: [{name: O, clockSkew: 6s}]}]}\n",
        "acme.yaml:2:68: clockSkew must be one of 0s, 1s, 2s, 3s, 4s, 5s",
    ),
    "a duration without its unit": (
        LIVES.replace("9s", "5m", 1),
        "acme.yaml:2:24: accessTokenLifetime must match ^[0-9]{1,10}s$",
    ),
    "a variable nobody set": (
        "organizations:\n  - name: ${ACME}\n",
        "acme.yaml:2:11: name uses ${ACME}, which is not set in the environment",
    ),
    "a tag": (
        "organizations:\n  - name: !!python/object/apply:os.system ['true']\n",
        "acme.yaml:2:11: name must be text",
    ),
    "a tag on text": (
        "organizations:\n  - name: !secret acme\n",
        "acme.yaml:2:11: name must be text; put it in quotes",
    ),
    "a merge key": (
        "organizations:\n  - &a {name: Acme}\n  - <<: *a\n",
        "acme.yaml:3:5: an entry of organizations has no field <<",
    ),
    "not YAML": (
        "organizations: [\n",
        "acme.yaml:2:1: this is not YAML: expected the node content, but found '<stream end>'",
    ),
    "half of a surrogate pair": (
        'organizations:\n  - name: "Fox \\ud83e"\n',
        "acme.yaml:2:11: name contains an unpaired surrogate, which is not valid text",
    ),
    "half of a surrogate pair in a name": (
        '{"organizations": [{"name": "Acme",\n "\\udd8a": 1}]}',
        "acme.yaml:2:2: a name of an entry of organizations contains an unpaired surrogate, which is not valid text",
    ),
    "long number": ("a: 1" + ":1" * 60, "acme.yaml:1:4: a value that is not text has more than 100 characters"),
    "long truth value": ("a: !!bool " + "y" * 101, "acme.yaml:1:4: a value that is not text has more than 100 characters"),
    "a control character": ("a: 1\nb: \x01\n", "acme.yaml:2:4: this is not YAML: this character is not allowed"),
    "deep": ("a: " + "[" * 30_000, "acme.yaml:1:53: the document is nested too deeply"),
    "two documents": ("a: 1\n---\nb: 2\n", "acme.yaml:2:1: this is not YAML: but found another document"),
    "nothing at all": ("", "acme.yaml:1:1: the document is empty"),
}  # fmt: skip


TRICKY = {
    "an anchor": "organizations:\n  - {name: &a Acme, id: *a}\n",
    "a tag on a number": "organizations:\n  - name: !!str 2024\n",
    "a tag on a list": "organizations: !!seq\n  - name: Acme\n",
    "an escaped surrogate pair": r'{"organizations": [{"name": "Fox \ud83e\udd8a"}]}',
    "directives": "%YAML 1.1\n---\norganizations: [{name: Acme}]\n",
    "an invalid environment": "organizations:\n  - name: ${HALF}\n",
}
SAME = {
    "the end of a document": "---\norganizations: [{name: Acme}]\n...\n",
    "a byte order mark": "\ufefforganizations: [{name: Acme}]\n",
    "JSON": '{"organizations":[{"name":"A\\u00e9\\/b","humans":null}]}',
    "an address without quotes": "organizations: [{name: 'http://a.example/?b=c:d', id: http://a.example/b=c:d}]\n",
    "blocks": "organizations:\n  - name: |\n      A\n    id: >-\n      a\n      b\n",
    "a plain value of two lines": "organizations:\n  - name: Acme\n      Works # why\n",
    "date": "organizations:\n  - name: 2024-01-01\n",
    "nulls": PERSON + "        phone: ~\n        attributes: null\n        password:\n",
    "null in quotes": PERSON + "        username: 'null'\n",
    "variables": PERSON + "        username: ${FIRST}\n        id: $${FIRST}\n",
    "a name that is a number": PERSON + "        metadata: {1: a, true: b, '': c}\n",
}


@pytest.mark.parametrize("text", [*SAME.values(), *TRICKY.values(), *(text for text, _ in WRONG.values())])
def test_quick_reading_gives_what_careful_reading_gives(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that libyaml reads is the same document by its nodes; any other is left to them."""
    environment = {"FIRST": "ada", "HALF": "\udcff"}
    quick = read_usual(text, environment)
    monkeypatch.setattr(reading, "read_usual", lambda _text, _environment: None)

    assert (quick is not None) == (text in SAME.values())
    if quick is not None:
        assert quick == read_document(text, "acme.yaml", environment)


def test_errors_have_line_and_column() -> None:
    """Errors have file, line and column as in editors, and a message."""
    for name, (text, expected) in WRONG.items():
        assert error_of(text).startswith(expected), name


def error_of(text: str) -> str:
    try:
        read(text)
    except DocumentError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("61", "must be from 0 to 60"),
        ("-1", "must be from 0 to 60"),
        ("1.5", "must be a whole number"),
        ("0x10", "must be a whole number"),
        ("1_0", "must be a whole number"),
        ("'30'", "must be a whole number, without quotes"),
        ("soon", "must be a whole number"),
    ],
)
def test_numbers_are_decimal_integers_in_range(value: str, sentence: str) -> None:
    """YAML's other number formats are refused as error-prone."""
    text = f"""\
organizations:
  - name: Acme
    projects:
      - name: Shop
        oidcApps:
          - {{name: Web, refreshTokenGraceSeconds: {value}}}
"""
    with pytest.raises(DocumentError) as raised:
        read(text)

    assert str(raised.value) == f"acme.yaml:6:51: refreshTokenGraceSeconds {sentence}"


def test_messages_contain_no_passwords() -> None:
    """An overlong secret is reported by its place, never by its value (IN-09)."""
    text = PERSON + f"        password: {{password: {'canary' * 50}}}\n"
    with pytest.raises(DocumentError) as raised:
        read(text)

    assert str(raised.value) == "acme.yaml:6:30: password must have at most 200 characters"


def test_demo_document_is_consistent() -> None:
    """The document of `make up` has the administrator and client of the demo module."""
    variables = {"PORTICO_DEMO_ADMIN_PASSWORD": "p" * 20, "PORTICO_DEMO_CLIENT_SECRET": "s" * 20}
    text = demo.DOCUMENT.read_text(encoding="utf-8")
    document = read_document(text, "demo.yaml", {**variables, "PORTICO_DEMO_RP_URL": "http://localhost:1"})
    [organization] = document.organizations
    [project] = organization.projects or ()
    [app] = project.oidc_apps or ()
    humans = organization.humans or ()

    assert app.client_id == demo.CLIENT_ID
    assert app.redirect_uris == ("http://localhost:1/callback",)
    assert [person.username for person in humans] == [demo.ADMINISTRATOR]
    assert humans[0].roles == ("IAM_OWNER",)


@pytest.mark.parametrize("first_run", [False, True])
def test_first_run_declares_no_administrator(tmp_path: Path, *, first_run: bool) -> None:
    """A first run declares everything else of the demo's document, and the installation stores the mode."""
    installation = load_or_create(tmp_path)
    installation.first_run = first_run
    [organization] = declared.demo_document(installation, "http://localhost:1").organizations
    humans = () if first_run else (demo.ADMINISTRATOR,)

    assert tuple(human.username for human in organization.humans or ()) == humans
    assert organization.projects
