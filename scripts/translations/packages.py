"""The packages that have catalogues, and the English messages of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from jinja2 import FileSystemLoader
from portico_authz import error_page as authz_error_page
from portico_authz.authorize import open_request
from portico_authz.authorize.checks import check_client, check_redirect_uri, check_repeats
from portico_authz.authorize.pipeline import POST_NOT_FOUND
from portico_authz.codes import missing_access
from portico_authz.login import build_step, verify_submission
from portico_authz.login_sessions.requirements import USER_CHANGED, USER_NOT_ADMITTED
from portico_authz.logout import confirm, logout_request
from portico_console import request_context as console_request_context
from portico_console.account_app import data, new_key, security
from portico_console.console_app.new_app import creation, redirect_advice
from portico_console.console_app.screens import actions, bulk, reading
from portico_console.console_app.screens.sentences import sentences as screen_sentences
from portico_console.forms import reading as form_reading
from portico_console.management import diagnostics
from portico_console.messages import MESSAGES
from portico_console.sign_in import flow, id_token, provider
from portico_contracts.activities.activity import SYSTEM_NAME
from portico_contracts.activities.labels import FIELD_LABELS
from portico_contracts.activities.table import SENTENCES as ACTIVITY_SENTENCES
from portico_contracts.sign_in_failures import FAILURE_TEXTS
from portico_keys.rotation import on_demand
from portico_login_ui import (
    authz_client,
    error_page,
    external_flow,
    first_run_flow,
    own_form,
    redirects,
    request_context,
    steps,
)
from portico_login_ui.methods import credential, method
from portico_oauth import errors, parameters
from portico_oauth.errors import ERROR_CODES, TABLE, ErrorCode
from portico_users.applications import compliance
from portico_users.applications.fapi2 import ALLOWED
from portico_users.diagnostics.store import HINTS, HINTS_OF_CHECKS
from portico_users.end_users.codes import challenges
from portico_users.management_api.transport.wire import json_messages, limits
from portico_users.values.json_text import NOT_TEXT
from portico_web import forms, same_origin
from portico_web.pages import environment, template_folders

from translations.reasons import reasons

import_module("portico_users.app")  # declares every error of users, but those of what it loads later
import_module("portico_users.management_api.transport.endpoints.rpc_endpoint")
import_module("portico_console.routes")  # declares every message of the console

Forms = tuple[str, ...]
"""A message in English; two forms where it depends on a number."""


@dataclass(frozen=True)
class Message:
    """A message to translate.

    Args:
        forms: in English; a second one where it depends on a number.
        place: the template it is in, or the id of the error.
    """

    forms: Forms
    place: str


@dataclass(frozen=True)
class Package:
    """A package with catalogues in ``locale``.

    Args:
        sentences: shown by its pages, and written in Python.
        error_codes: whose texts its pages show.
    """

    name: str
    sentences: tuple[str, ...] = ()
    error_codes: tuple[ErrorCode, ...] = ()

    @cached_property
    def messages(self) -> dict[str, Message]:
        """By the first English form: templates first, then the sentences and errors in Python."""
        in_python = [Message((text,), "") for text in self.sentences]
        in_python += [Message((code.text,), code.id) for code in self.error_codes]
        found: dict[str, Message] = {}
        for message in (*self.of_templates(), *in_python):
            found.setdefault(message.forms[0], message)
        return found

    def of_templates(self) -> Iterator[Message]:
        """The messages of its templates, in their order."""
        made: Any = environment(self.name)
        for name, source in self.templates():
            for _, _, message in made.extract_translations(source):
                # A call with a variable has no message here: that is a sentence in Python.
                if forms := (message,) if isinstance(message, str) else tuple(form for form in message or () if form):
                    yield Message(forms, f"templates/{name}")

    def templates(self) -> Iterator[tuple[str, str]]:
        """Name and source of each."""
        loader = FileSystemLoader(template_folders(self.name))
        for name in loader.list_templates():
            if not name.endswith((".py", ".pyc")):
                yield name, loader.get_source(environment(self.name), name)[0]

    def catalogue(self, tag: str) -> Path:
        """The file with the translations into a language."""
        return Path(str(files(self.name).joinpath("locale", f"{tag}.po")))


def _codes(*modules: ModuleType) -> tuple[ErrorCode, ...]:
    return tuple(value for module in modules for value in vars(module).values() if isinstance(value, ErrorCode))


def _texts(*modules: ModuleType) -> tuple[str, ...]:
    return tuple(
        text
        for module in modules
        for name, text in vars(module).items()
        if name.isupper() and not name.startswith("_") and isinstance(text, str)
    )


SHARED: Final = Package(
    "portico_web",
    tuple(row.page for row in TABLE.values()),
    _codes(errors, parameters, forms, same_origin),
)
"""Every other package finds these translations too."""

PACKAGES: Final = (
    SHARED,
    Package(
        "portico_login_ui",
        (*error_page.SENTENCES.values(), error_page.NO_SIGN_IN, error_page.NO_SIGN_OUT),
        (
            *_codes(
                redirects,
                own_form,
                authz_client,
                steps,
                request_context,
                method,
                credential,
                external_flow,
                first_run_flow,
            ),
            # Errors of the login API that the pages show.
            *_codes(build_step, confirm, open_request, verify_submission),
            challenges.EMAIL_OFF,
        ),
    ),
    Package(
        "portico_authz",
        tuple(authz_error_page.SENTENCES.values()),
        # Errors with a page: those found before the redirect URI is valid, and denied access to a project.
        (
            POST_NOT_FOUND,
            *_codes(check_repeats, check_client, check_redirect_uri, open_request, missing_access),
            *_codes(logout_request),
            USER_CHANGED,
            USER_NOT_ADMITTED,
        ),
    ),
    Package(
        "portico_console",
        (
            *redirect_advice.SENTENCES,
            *screen_sentences(),
            *ACTIVITY_SENTENCES,
            *dict.fromkeys(FIELD_LABELS.values()),
            SYSTEM_NAME,
            *FAILURE_TEXTS.values(),
            *sorted(MESSAGES),
        ),
        _codes(
            console_request_context,
            data,
            new_key,
            security,
            creation,
            diagnostics,
            flow,
            id_token,
            provider,
            reading,
            actions,
            bulk,
            form_reading,
        ),
    ),
    Package(
        "portico_users",
        (
            NOT_TEXT,
            ALLOWED,
            *_texts(limits, json_messages),
            *compliance.TEXTS.values(),
            *HINTS.values(),
            *chain.from_iterable(texts.values() for texts in HINTS_OF_CHECKS.values()),
            *reasons(),
        ),
        (
            *(code for id, code in sorted(ERROR_CODES.items()) if id.startswith("USER-")),
            on_demand.NO_SUCH_KEY,
        ),
    ),
)
