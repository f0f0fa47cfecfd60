"""One word for one thing in forms and on pages; names of the API reach no page."""

from __future__ import annotations

import re
from pathlib import Path

import portico_console
from portico_console.console_app.screens.screen import Column, Kind, Screen
from portico_console.console_app.screens.table import SCREENS
from portico_console.forms.building import form_of
from portico_console.forms.field import Field, Widget, all_of
from portico_console.forms.hints import HINTS
from portico_console.forms.labels import LABELS, WORDS
from portico_console.forms.pickers import MEANINGS, PICKED
from portico_console.forms.words import label_of, sign_in_methods, word
from portico_contracts.languages import OWN_NAMES, TAGS
from portico_contracts.management import METHODS
from portico_harness.rows import row
from portico_web.countries import country_name

CONSTANT = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
ABBREVIATIONS = re.compile(r"\b(u2f|otp|totp|idp|mfa|pwd|uri|oidc|jwt|ldap|sms|id)\b")
CAMEL = re.compile(r"\b[a-z]+[A-Z][a-z]\w*\b")
LIMIT = re.compile(r"\d characters|^1 to \d")


def enum_values() -> list[str]:
    seen: set[str] = set()
    found: list[str] = []
    to_see = [one.DESCRIPTOR for method in METHODS.values() for one in (method.request, method.response)]
    while to_see:
        message = to_see.pop()
        if message.full_name in seen:
            continue
        seen.add(message.full_name)
        to_see += [field.message_type for field in message.fields if field.message_type is not None]
        found += [one.name for field in message.fields if field.enum_type for one in field.enum_type.values]
    return sorted(name for name in set(found) if name != "NULL_VALUE")


def columns_of(screen: Screen) -> list[Column]:
    return [*screen.facts, *(screen.listing.columns if screen.listing else ())]


def form_fields(screen: Screen) -> list[Field]:
    actions = [one for one in (*screen.create, *screen.actions) if one.only]
    return [field for one in actions for field in all_of(form_of(one.method, one.only, change=bool(one.filled_from)))]


def test_enum_value_has_words() -> None:
    for constant in enum_values():
        with row(constant):
            shown = word(constant)

            assert "_" not in shown
            assert shown[:1] == shown[:1].upper()
            assert not ABBREVIATIONS.search(shown)


def test_form_and_page_have_the_same_words() -> None:
    """The label of a field is the title of the column that shows its value."""
    for screen in SCREENS:
        with row(screen.key):
            titles: dict[str, set[str]] = {}
            for column in columns_of(screen):
                names = {path.rpartition(".")[2] for path in column.path.split("|")}
                if len(names) == 1:
                    titles.setdefault(names.pop(), set()).add(column.title)
            wrong = {
                field.name: (field.label, titles[field.name])
                for field in form_fields(screen)
                if field.path.partition(".")[0] in (field.name, "providerOptions")
                if field.name in titles and field.label not in titles[field.name]
            }

            assert wrong == {}


def test_labels_and_hints_are_plain() -> None:
    """A checkbox is a statement; no name of a constant, abbreviation or limit of length is shown."""
    for screen in SCREENS:
        with row(screen.key):
            for field in form_fields(screen):
                assert not ABBREVIATIONS.search(field.label), field.label
                assert "_" not in field.label
                assert not (field.widget is Widget.CHECK and re.match(r"(Is|Has|Allow|Force|No) ", field.label)), (
                    field.label
                )
                assert not CONSTANT.search(re.sub(r"PORTICO_\w+|IAM_OWNER|ORG_OWNER", "", field.help)), field.help
                assert not LIMIT.search(field.help), field.help


def test_labels_and_hints_are_written_by_hand() -> None:
    """None of a form is derived from a name of the API or cut out of its descriptions (except languages)."""
    derived: set[str] = set()
    for screen in SCREENS:
        for field in form_fields(screen):
            of_group = [child.name for child in field.children]
            derived |= {f"label of {field.source}"} if not {field.source, field.name} & set(LABELS) else set()
            has_hint = field.source in HINTS or field.name in HINTS or field.name in of_group or not field.source
            derived |= set() if has_hint else {f"hint of {field.source}"}
            constants = {name for name, _word in field.choices} - set(OWN_NAMES)
            derived |= {f"word of {name}" for name in constants if name not in WORDS and name not in PICKED}

    assert derived == set()


def test_descriptions_of_the_api_are_on_its_pages_only() -> None:
    """All other forms are made by `form_of`, or replace the descriptions by their own hints."""
    root = Path(portico_console.__file__).parent / "console_app"
    users = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "import fields_of" in path.read_text("utf-8")
    }

    assert users == {"api/operation.py", "users/new_user.py"}


def test_words_name_nothing_of_the_api() -> None:
    """No label, hint, word or meaning has the name of a constant or a field of the API."""
    texts = {*LABELS.values(), *HINTS.values(), *WORDS.values(), *MEANINGS.values()}

    assert [one for one in sorted(texts) if CONSTANT.search(one) or CAMEL.search(one)] == []


def test_columns_translate_constants() -> None:
    """A column whose value is an enum shows its word."""
    for screen in SCREENS:
        with row(screen.key):
            for column in columns_of(screen):
                if column.path.rpartition(".")[2] in ("state", "type", "accessTokenType", "authMethodType", "amr"):
                    assert column.kind in (Kind.STATE, Kind.WORD, Kind.METHODS, Kind.CODE), column.title


def test_countries_have_names_in_every_language() -> None:
    assert {country_name("NL", tag) for tag in ("en", "de", "fr")} == {"Netherlands", "Niederlande", "Pays-Bas"}
    assert [tag for tag in TAGS if country_name("JP", tag) == "JP"] == []
    assert (country_name("XX", "en"), country_name("", "en")) == ("XX", "")


def test_methods_of_a_session_have_words() -> None:
    assert sign_in_methods(["pwd", "hwk", "mfa"]) == ["Password", "Security key"]
    assert sign_in_methods(["hwk", "user", "mfa"]) == ["Passkey"]
    assert sign_in_methods(["pop", "user", "mfa"]) == ["Passkey"]
    assert sign_in_methods(["pwd", "otp", "mfa"]) == ["Password", "One-time code"]
    assert sign_in_methods(["otp"]) == ["Email code"]
    assert sign_in_methods(["otp", "mfa"]) == ["One-time code"]
    assert sign_in_methods(["mfa"]) == ["Identity provider"]
    assert sign_in_methods([]) == []


def test_one_word_for_one_thing() -> None:
    assert label_of("forceMfa") == "Second factor required"
    assert label_of("primaryColor") == "Accent"
    assert {word(one) for one in ("AUTHENTICATION_METHOD_TYPE_TOTP", "SECOND_FACTOR_TYPE_OTP")} == {"Authenticator app"}
    assert word("MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION") == word("AUTHENTICATION_METHOD_TYPE_PASSKEY") == "Passkey"
