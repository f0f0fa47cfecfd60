from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote, urlencode

from portico_contracts.login import PageBranding
from portico_contracts.management import METHODS
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import RandomBytes, equal_in_constant_time
from portico_oauth.parameters import Parameters
from portico_web.catalogue import Catalogue, load_catalogue
from portico_web.forms import read_form
from portico_web.headers import NO_STORE
from portico_web.language_choice import LanguageSwitch, language_cookie
from portico_web.languages import ENGLISH, Language
from portico_web.pages import page
from portico_web.same_origin import refuse_foreign_form
from portico_web.uploads import MAX_UPLOAD, is_upload, read_upload
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from portico_console.forms.words import label_of_path
from portico_console.management.api import ManagementApi
from portico_console.management.diagnostics import NotRecent
from portico_console.messages import message
from portico_console.sessions.session import KeptForm, Session, Sessions
from portico_console.sign_in.relying_party import RelyingParty
from portico_console.static_files import SCRIPT, STYLESHEET
from portico_console.theme import theme_of, themed_stylesheet

PACKAGE: Final = "portico_console"

_OURS: Final = ("CONS-", "WEB-", "OAUTH-", "PORT-")
"""Prefixes of error ids that this service raises itself."""

RECENT_SECONDS: Final = 240
"""Maximum age of the sign-in when the form of a dangerous operation is opened: users requires five minutes when
it is sent.
"""

NO_CSRF = ErrorCode(
    "CONS-105", Kind.PERMISSION_DENIED, "The form did not come from this page.", "Open the page again and use its form."
)


NOTICE_PARAMETER: Final = "said"
AGAIN: Final = "again"
"""Names the kept form in the URL after a sign-in."""
UNSENT: Final = "unsent"
"""The value of `AGAIN` for a form that was sent without a session, and was not kept."""

NOT_SENT: Final = message("Nothing was saved yet. Check your input and send it again.")
NOT_COMPLETE: Final = message(
    "Nothing was saved yet: passwords, secrets and files are not kept while you sign in. Enter them again and send it."
)
NOT_DONE: Final = message("Nothing was saved after you signed in. The reason is below.")

MOST_FIELDS: Final = 1_000
"""Fields of a form: of the longest lists that the API stores, and of the rows of a page that are selected."""

MOST_BYTES: Final = 256 * 1024
"""Bytes of a form without a file: the same lists, in scripts whose letters take nine bytes."""


def segment(value: str) -> str:
    """Encodes a path segment twice, since a slash that is encoded once is decoded before routing."""
    return quote(quote(value, safe=""), safe="")


class Notice(NamedTuple):
    """What was done, on the page after a form; `text` is English and declared with `message`.

    `undo` is the URL of the form that reverses it, which has no fields; empty if it cannot be reversed.
    """

    text: str
    values: dict[str, str]
    undo: str = ""


@dataclass(frozen=True)
class RequestContext:
    """`now` is unix seconds; `steps_up`: users requires a recent sign-in for dangerous operations.

    `kept` is the form that was kept for a sign-in. With `carried_out`, the handler gets it as if it were sent now;
    otherwise the page of the form shows it.
    """

    request: Request
    session: Session
    language: Language
    party: RelyingParty
    api: ManagementApi
    issuer: str
    now: float
    sessions: Sessions = field(repr=False)
    random: RandomBytes = field(repr=False)
    steps_up: bool = True
    notice: Notice | None = None
    kept: KeptForm | None = None
    carried_out: bool = False

    @property
    def path(self) -> dict[str, str]:
        """Returns the parts of the URL, such as ids, as they are; `segment` encodes them for a link."""
        return {name: unquote(value) for name, value in self.request.path_params.items()}

    @property
    def here(self) -> str:
        query = self.request.url.query
        return f"{self.request.url.path}?{query}" if query else self.request.url.path

    def text_of(self, error: ServiceError) -> str:
        """Returns the public text; an error of a field begins with its label."""
        if error.violations and error.text == error.violations[0].text:
            first = error.violations[0]
            return f"{label_of_path(first.field)}: {first.text}"
        if self.language is ENGLISH or not error.id.startswith(_OURS):
            return error.text
        return load_catalogue(PACKAGE, self.language.tag).gettext(error.text)

    @property
    def words(self) -> Catalogue:
        """For messages of this service that are written in Python."""
        return load_catalogue(PACKAGE, self.language.tag)

    def require_recent(self, method: str) -> None:
        """Raises NotRecent when, as far as this service knows, the user must sign in again for `method`."""
        needed = METHODS[method.replace("/", ".")].permission.recent_sign_in
        if self.steps_up and needed and self.now - self.session.auth_time > RECENT_SECONDS:
            raise NotRecent

    @asynccontextmanager
    async def keeping(
        self, typed: Mapping[str, str], *, at: str = "", secrets: Collection[str] = ()
    ) -> AsyncIterator[None]:
        """Keeps the form, without `secrets`, while the user signs in again for an operation of this block.

        It is carried out then, unless a secret was left out. `at` is the URL of the page with the form, by default
        that of the request: it fills the form with `typed_before`. Nothing may be done before the operation.
        """
        try:
            yield
        except NotRecent:
            left_out = {"csrf", *secrets}
            kept = {name: value for name, value in typed.items() if name not in left_out}
            scope = self.request.scope
            is_whole = not any(typed.get(name) for name in secrets)
            form = KeptForm(kept, scope["path"], scope["query_string"], is_whole)
            name = await self.sessions.keep_form(self.session, form)
            raise NotRecent(_with(at or self.request.url.path, AGAIN, name), name) from None

    @property
    def typed_before(self) -> dict[str, str] | None:
        """The input that was sent before the user signed in again, and was not carried out."""
        if self.kept is None or self.carried_out:
            return None
        return {name: value for name, value in self.kept.typed.items() if name != "confirmed"}

    def _unsaved(self, status: int) -> str:
        """Returns why the form that the user signed in for was not carried out; empty if it was."""
        if self.carried_out:
            return NOT_DONE if status >= HTTPStatus.BAD_REQUEST else ""
        if self.kept:
            return NOT_SENT if self.kept.is_whole else NOT_COMPLETE
        return NOT_SENT if self.request.query_params.get(AGAIN) == UNSENT else ""

    async def read_form(self, *, with_file: bool = False, most_bytes: int = MAX_UPLOAD) -> Parameters:
        """Raises WEB-003 for another site's form, CONS-105 without the token of this session.

        `most_bytes` limits a form with a file. Of a form that is carried out, both were checked before it was kept.
        """
        if self.carried_out and self.kept:
            return Parameters(self.kept.typed.items())
        refuse_foreign_form(self.request, self.party.origin)
        if with_file and is_upload(self.request):
            form = await read_upload(self.request, most_bytes)
        else:
            form = await read_form(self.request, most=MOST_FIELDS, most_bytes=MOST_BYTES)
        form.refuse_repeats()
        if not equal_in_constant_time(form.get("csrf", ""), self.session.csrf):
            raise NO_CSRF.error()
        # Browsers send CRLF for each line break of a text area.
        form.update({name: value.replace("\r\n", "\n") for name, value in form.items()})
        return form

    def page(self, template: str, *, status: int = 200, **context: Any) -> Response:
        """Renders a page with the common script and stylesheet; ``script`` and ``script_uri`` replace the script."""
        shown = {"script": SCRIPT.address, "script_uri": f"{self.party.origin}{SCRIPT.path}"} | context
        theme = theme_of(self.request, self.party.origin)
        unsaved = self._unsaved(status)
        return page(
            template,
            package=PACKAGE,
            language=self.language,
            status=status,
            form_uri=self.issuer,
            look=PageBranding(branding=self.session.branding),
            image_uri=self.issuer if context.get("preview") else "",
            ask_uri=f"{self.party.origin}{self.party.path}/",
            language_switch=self._language_switch(),
            console_stylesheet=STYLESHEET.address,
            theme=theme,
            colors=themed_stylesheet(self.session.branding, theme),
            session=self.session,
            party=self.party,
            here=self.here,
            issuer=self.issuer,
            notice=self.notice,
            unsaved=unsaved,
            refocus=" autofocus" if unsaved else "",
            segment=lambda value: segment(str(value)),  # an absent field is an empty text
            **shown,
        )

    def _language_switch(self) -> LanguageSwitch | None:
        """None after a form: its page cannot be loaded again."""
        if self.request.method == "POST":
            return None
        return LanguageSwitch(f"{self.party.path}/language", self.here, self.session.csrf)

    def language_cookie(self, tag: str) -> str:
        """The Set-Cookie value that shows all pages of this browser in a language; without one it is the browser's."""
        return language_cookie(tag, secure=self.party.origin.startswith("https://"))

    def see(self, address: str) -> Response:
        """Redirects after a form (303, so that a reload sends nothing again)."""
        return RedirectResponse(address, status_code=303, headers=NO_STORE)

    async def see_notice(self, address: str, text: str, /, *, undo: str = "", **values: str) -> Response:
        """Redirects like `see`; the page shows `text` once."""
        name = await self.sessions.keep_to_show(self.session, {"text": text, "values": values, "undo": undo})
        return self.see(_with(address, NOTICE_PARAMETER, name))


def _with(address: str, name: str, value: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode({name: value})}"
