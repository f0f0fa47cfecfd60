from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from portico_contracts.languages import OWN_NAMES
from portico_contracts.login import PageBranding
from starlette.responses import HTMLResponse

from portico_web.branded_stylesheet import branded_address
from portico_web.catalogue import Catalogue, load_catalogue
from portico_web.compiled_templates import compiled_templates
from portico_web.headers import page_headers
from portico_web.language_choice import LanguageSwitch
from portico_web.languages import ENGLISH, Language
from portico_web.stylesheet import stylesheet

if TYPE_CHECKING:
    from jinja2 import Environment

PLAIN: Final = PageBranding()
"""Default branding, for pages without an organization or application."""

START: Final = "/"
"""The home page, linked from pages where the user cannot continue."""

FORM_POST_SCRIPT: Final = "document.forms[0].submit()"
_SCRIPT_HASH: Final = "sha256-" + base64.b64encode(hashlib.sha256(FORM_POST_SCRIPT.encode()).digest()).decode()


@cache
def environment(package: str = "portico_web", language: Language = ENGLISH) -> Environment:
    # A service that renders no page does not load the template engine, which takes 2 MiB.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - see above

    made = Environment(
        loader=FileSystemLoader([*template_folders(package), *template_folders("portico_web")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=compiled_templates(),
        auto_reload=False,  # templates change with a release; looking at their files costs more than rendering
        extensions=["jinja2.ext.i18n"],
    )
    words = load_catalogue(package, language.tag)
    # The extension adds this method. New style: variables are escaped, in messages with tags too.
    cast("Any", made).install_gettext_callables(words.gettext, words.ngettext, newstyle=True)
    made.policies["ext.i18n.trimmed"] = True
    made.globals |= {"_": _escaping(words)}
    made.globals |= {"stylesheet": stylesheet().address, "language": language, "start": START, "own_names": OWN_NAMES}
    return made


def _escaping(words: Catalogue) -> Callable[..., str]:
    """Jinja's own `_` takes every text for HTML with values to insert, as blocks of `trans` are; sentences of Python
    may contain what a user typed.
    """
    from markupsafe import escape  # noqa: PLC0415 - see above

    def translate(sentence: str, /, **values: object) -> str:
        translated = escape(words.gettext(sentence))
        return translated % values if values else translated

    return translate


def template_folders(package: str) -> list[Path]:
    """Where a package has templates: its own folder of them, and those of the steps of a sign-in."""
    root = Path(str(files(package)))
    return [folder for folder in (root / "templates", *sorted(root.glob("steps/*/"))) if folder.is_dir()]


def page(
    template: str,
    *,
    package: str = "portico_web",
    language: Language = ENGLISH,
    status: int = 200,
    form_uri: str = "",
    script_uri: str = "",
    ask_uri: str = "",
    image_uri: str = "",
    frame_uri: str = "",
    look: PageBranding = PLAIN,
    language_switch: LanguageSwitch | None = None,
    **context: Any,
) -> HTMLResponse:
    """Renders a template of a package that has a catalogue in every language; a missing variable is an error."""
    text = (
        environment(package, language)
        .get_template(template)
        .render(
            look=look,
            texts=look.branding.texts_in(language.tag),
            branded_stylesheet=branded_address(look.branding),
            language_switch=language_switch,
            **context,
        )
    )
    headers = page_headers(
        form_uri=form_uri,
        script_uri=script_uri,
        ask_uri=ask_uri,
        image_uri=image_uri or look.client_logo,
        frame_uri=frame_uri,
    ) | {"Content-Language": language.tag}
    return HTMLResponse(text, status_code=status, headers=headers)


def form_post_page(action: str, fields: dict[str, str], *, language: Language = ENGLISH) -> HTMLResponse:
    """Returns a page that posts itself to the relying party (OAuth 2.0 Form Post Response Mode).

    It omits form-action, which would also restrict the redirects of the relying party.
    """
    template = environment("portico_web", language).get_template("form_post.html")
    text = template.render(action=action, fields=fields, script=FORM_POST_SCRIPT)
    headers = page_headers(any_form=True, script_hash=_SCRIPT_HASH) | {"Content-Language": language.tag}
    return HTMLResponse(text, headers=headers)
