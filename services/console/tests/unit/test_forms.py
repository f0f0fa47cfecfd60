from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from portico_console.console_app.api.answers import lines_of
from portico_console.forms import reading
from portico_console.forms.building import fields_of
from portico_console.forms.field import Widget, all_of
from portico_console.forms.filling import begun, problems_of, rows_of, with_problems
from portico_console.forms.reading import NOT_A_NUMBER, NOT_A_TIME, NOT_JSON, read
from portico_console.forms.row_buttons import DROP_ROW, changed_rows
from portico_console.forms.words import label_of, word
from portico_contracts.management import METHODS
from portico_oauth.errors import Violation

ADD_USER = "portico.user.v2.UserService/AddHumanUser"
SETTINGS = "portico.management.v1.AppService/UpdateOIDCAppConfig"
ROLES = "portico.management.v1.ProjectService/BulkAddProjectRoles"
LIFETIMES = "portico.admin.v1.SettingsService/UpdateOIDCSettings"
KEY = "portico.management.v1.ServiceUserService/AddMachineKey"
METADATA = "portico.management.v1.UserMetadataService/SetMetadata"
OIDC_IDP = "portico.admin.v1.IDPService/UpdateGenericOIDCProvider"

WIDGETS = (
    (ADD_USER, "username", Widget.TEXT),
    (ADD_USER, "profile", Widget.GROUP),
    (ADD_USER, "profile.gender", Widget.CHOICE),
    (ADD_USER, "email.verification", Widget.ONE_OF),
    (ADD_USER, "password.password", Widget.SECRET),
    (ADD_USER, "idpLinks", Widget.ROWS),
    (SETTINGS, "redirectUris", Widget.LINES),
    (SETTINGS, "grantTypes", Widget.SEVERAL),
    (SETTINGS, "devMode", Widget.CHECK),
    (SETTINGS, "hintedLogout", Widget.CHOICE),
    (SETTINGS, "clockSkew", Widget.SECONDS),
    (SETTINGS, "refreshTokenGraceSeconds", Widget.NUMBER),
    (KEY, "expirationDate", Widget.TIME),
    (METADATA, "value", Widget.LONG),
    (OIDC_IDP, "clientSecret", Widget.SECRET),
)


@pytest.mark.parametrize(("method", "path", "widget"), WIDGETS)
def test_field_type_decides_its_widget(method: str, path: str, widget: Widget) -> None:
    only = (path.partition(".")[0],)
    found = {field.path: field.widget for field in all_of(fields_of(method, only))}

    assert found[path] is widget


def test_every_operation_has_a_form() -> None:
    """An empty form of any operation sends nothing but empty lists and groups."""
    read_empty = {method: read(begun(_form_of(method), {}), {}, change=False) for method in METHODS}

    assert [method for method, typed in read_empty.items() if typed.violations or _values(typed.message)] == []


def _form_of(method: str) -> Any:
    service, _, name = method.rpartition(".")
    return fields_of(f"{service}/{name}")


def _values(message: Any) -> list[Any]:
    """Returns every value that is neither a message, nor a list, nor false."""
    if isinstance(message, dict):
        return [value for inner in message.values() for value in _values(inner)]
    return [] if message in ([], False) else [message]


FULL = {
    "f.username": "eve",
    "f.profile.firstName": " Eve ",
    "f.profile.gender": "GENDER_FEMALE",
    "f.email.email": "eve@example.test",
    "f.email.verification": "isVerified",
    "f.password.password": " a space counts ",
    "f.idpLinks.1.idpId": "google",
    "f.idpLinks.1.userId": "17",
}


def test_submitted_form_becomes_the_message() -> None:
    """Groups, the chosen alternative, a list with an empty row and an unchanged password are read."""
    typed = read(fields_of(ADD_USER, ("username", "profile", "email", "password", "idpLinks")), FULL, change=False)

    assert typed.message == {
        "username": "eve",
        "profile": {"firstName": "Eve", "gender": "GENDER_FEMALE"},
        "email": {"email": "eve@example.test", "isVerified": True},
        "password": {"password": " a space counts "},
        "idpLinks": [{"idpId": "google", "userId": "17"}],
    }


def test_secrets_are_not_shown_again() -> None:
    typed = read(fields_of(ADD_USER, ("password",)), FULL, change=False)
    filled = begun(fields_of(OIDC_IDP, ("clientSecret",)), {"clientSecret": "of-the-other-side"})
    shown = [field.value for field in all_of((*typed.fields, *filled)) if field.widget is Widget.SECRET]

    assert shown == ["", ""]


BAD = (
    (SETTINGS, "f.refreshTokenGraceSeconds", "ten", NOT_A_NUMBER),
    (LIFETIMES, "f.accessTokenLifetime", "1h", NOT_A_NUMBER),
    (KEY, "f.expirationDate", "tomorrow", NOT_A_TIME),
    ("portico.user.v2.UserService/VerifyPasskeyRegistration", "f.publicKeyCredential", "{", NOT_JSON),
    ("portico.user.v2.UserService/VerifyPasskeyRegistration", "f.publicKeyCredential", r'{"a": "\ud800"}', NOT_JSON),
)


@pytest.mark.parametrize(("method", "name", "text", "problem"), BAD)
def test_invalid_input_is_marked_and_kept(method: str, name: str, text: str, problem: str) -> None:
    """The field shows the problem and the input, and the message does not contain it."""
    path = name.removeprefix("f.")
    typed = read(fields_of(method, (path,)), {name: text}, change=False)
    [field] = with_problems(typed.fields, typed.violations)

    assert typed.message == {}
    assert (field.value, field.problem) == (text, problem)


ROUND = (
    (
        SETTINGS,
        {
            "redirectUris": ["https://a.example/cb", "https://b.example/cb"], "grantTypes": ["OIDC_GRANT_TYPE_IMPLICIT"],
            "devMode": True, "hintedLogout": False, "clockSkew": "4s", "refreshTokenGraceSeconds": "7",
        },
    ),
    (ROLES, {"roles": [{"roleKey": "a", "displayName": "A"}, {"roleKey": "b"}]}),
    (METADATA, {"key": "color", "value": base64.b64encode(b"light\nblue\n").decode()}),
)  # fmt: skip


@pytest.mark.parametrize(("method", "message"), ROUND)
def test_unchanged_form_changes_nothing(method: str, message: dict[str, Any]) -> None:
    fields = begun(fields_of(method, tuple(message)), message)
    sent = {name: value for field in all_of(fields) for name, value in _inputs(field).items()}

    assert read(fields_of(method, tuple(message)), sent, change=True).message == message


def _inputs(field: Any) -> dict[str, str]:
    """Returns what a browser sends for a field, as `RequestContext.read_form` reads it."""
    if field.widget is Widget.CHECK:
        return {field.input: "on"} if field.value else {}
    if field.widget is Widget.SEVERAL:
        return {f"{field.input}.{name}": "on" for name in field.value}
    return {field.input: field.value} if isinstance(field.value, str) and field.value else {}


def test_errors_are_shown_at_their_fields() -> None:
    """Field names and row numbers are resolved, and other errors are listed."""
    typed = read(fields_of(ADD_USER, ("profile", "idpLinks")), {"f.idpLinks.0.idpId": "x"}, change=False)
    violations = [
        Violation("profile.first_name", "too short"),
        Violation("idp_links[0].user_id", "missing"),
        Violation("elsewhere[0]", "missing"),
    ]
    fields = with_problems(typed.fields, violations)
    problems = {field.path: field.problem for field in all_of(fields) if field.problem}

    assert problems == {"profile.firstName": "too short", "idpLinks.0.userId": "missing"}
    assert [(one.id, one.label, one.text) for one in problems_of(fields, violations)] == [
        ("f-profile-firstName", "First name", "too short"),
        ("f-idpLinks-0-userId", "User ID", "missing"),
        ("", "Elsewhere", "missing"),
    ]
    assert [field.path for field in all_of(fields) if field.focus] == ["profile.firstName"]


def test_names_become_words() -> None:
    assert label_of("policyUris") == "Policy URIs"
    assert word("USER_STATE_ACTIVE") == "Active"
    assert word("OIDC_GRANT_TYPE_REFRESH_TOKEN") == "Refresh token"
    assert word("IAM_OWNER") == "Instance owner"
    assert word("OF_TOMORROW") == "OF_TOMORROW"


def test_ignored_fields_are_hidden() -> None:
    """A form has no field that the API ignores, such as those of a response that is sent back."""
    login = fields_of("portico.management.v1.PolicyService/AddCustomLoginPolicy")
    hidden = {"details", "isDefault", "idps", "secondFactors", "multiFactors"}

    assert hidden & {field.name for field in login} == set()
    assert "forceMfa" in {field.name for field in login}
    assert [name for name in METHODS if {"details", "isDefault"} & {field.name for field in _form_of(name)}] == []


def test_response_is_readable() -> None:
    """Values have labels, rows have numbers, and words of enums are those of pages."""
    answer = {"result": [{"id": "u1", "state": "USER_STATE_ACTIVE"}, {"roleKeys": ["a", "b"]}], "isDefault": True}

    assert [tuple(line) for line in lines_of(json.dumps(answer))] == [
        ("Result 1 · ID", "u1"),
        ("Result 1 · State", "Active"),
        ("Result 2 · Roles", "a, b"),
        ("Is default", "yes"),
    ]
    assert lines_of("{}") == []


def test_default_of_alternatives_is_chosen() -> None:
    """Without a choice the API sends a code, so that "none" is not offered, but for a phone number nothing is sent."""
    fields = {field.path: field for field in all_of(begun(fields_of(ADD_USER, ("email", "phone")), {}))}
    typed = read(fields_of(ADD_USER, ("email",)), {"f.email.verification": "sendCode"}, change=False)

    assert (fields["email.verification"].value, fields["email.verification"].blank) == ("sendCode", False)
    assert (fields["phone.verification"].value, fields["phone.verification"].blank) == ("", True)
    assert typed.message == {"email": {"sendCode": {}}}


def test_form_has_no_more_rows_than_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of rows are of the sender, so gaps cost nothing: a hundred inputs made ten thousand rows (P8)."""
    made = 0

    def counted(field: Any, numbers: Any) -> Any:
        nonlocal made
        made += len(numbers)
        return rows_of(field, numbers)

    monkeypatch.setattr(reading, "rows_of", counted)
    sent = {f"f.trustedWorkloads.{place}.conditions.99.claim": "sub" for place in range(100)}
    typed = read(fields_of(WORKLOADS, ("trustedWorkloads",), change=True), sent, change=True)

    assert typed.message == {"trustedWorkloads": [{"conditions": [{"claim": "sub"}]}] * 100}
    assert made == 3 * 200  # to close the gaps, to send them, and to show them


@pytest.mark.parametrize("number", ["", "x", "-1", "1000", "9" * 5_000])
def test_number_that_no_row_has_removes_none(number: str) -> None:
    """It is of the sender: Python refuses to read one of thousands of digits (RX-12)."""
    assert changed_rows({DROP_ROW: f"f.scopes.{number}", "f.scopes.0.scope": "a"}) is None


def test_gaps_between_rows_are_closed() -> None:
    """Rows that a browser sends empty count as absent; the API numbers the others as the form that is shown then."""
    sent = {"f.roles.2.roleKey": "b", "f.roles.7.roleKey": "c", "f.roles.0.roleKey": "a", "f.roles.5.group": " "}
    typed = read(fields_of(ROLES, ("roles",)), sent, change=False)

    assert [one["roleKey"] for one in typed.message["roles"]] == ["a", "b", "c"]
    assert [field.name for field in all_of(typed.fields) if field.name.isdecimal()] == ["0", "1", "2"]


CLAIMS = "portico.management.v1.AppService/SetAppClaimRules"
WORKLOADS = "portico.management.v1.ServiceUserService/SetMachineTrustedWorkloads"
ASSERTIONS = "portico.management.v1.IDPService/SetAcceptedAssertions"


@pytest.mark.parametrize(
    ("method", "field", "sent", "wrong", "place"),
    [
        (WORKLOADS, "trustedWorkloads", {"f.trustedWorkloads.0.conditions.1.claim": "sub"}, "trusted_workloads[0].conditions[0].claim", "trustedWorkloads.0.conditions.0.claim"),
        (ASSERTIONS, "acceptedAssertions", {"f.acceptedAssertions.rules.2.clientId": "c"}, "accepted_assertions.rules[0].client_id", "acceptedAssertions.rules.0.clientId"),
        (CLAIMS, "claimRules", {"f.claimRules.0.key": " ", "f.claimRules.1.claim": "c"}, "claim_rules[0].claim", "claimRules.0.claim"),
    ],
)  # fmt: skip
def test_errors_are_in_the_row_that_was_sent(
    method: str, field: str, sent: dict[str, str], wrong: str, place: str
) -> None:
    """After an empty row, also in a row of another list, in a group, and with boxes to tick."""
    typed = read(fields_of(method, (field,), change=True), sent, change=True)
    marked = with_problems(typed.fields, [Violation(wrong, "unknown")])

    assert {one.path: one.value for one in all_of(marked) if one.problem} == {place: [*sent.values()][-1]}
