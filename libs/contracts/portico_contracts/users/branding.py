from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message


class PrivateLabeling(StrEnum):
    """Whose branding the login pages of a project's applications show.

    `UNSPECIFIED`: the organization named by the request's scope, else the project's. `PROJECT`: always the project's
    organization. `USER`: after authentication the user's organization, before that the one named by scope or
    login name, else the project's.
    """

    UNSPECIFIED = "unspecified"
    PROJECT = "project"
    USER = "user"


class FontFamily(StrEnum):
    """Font stack of the pages; `SYSTEM` is the system's user interface font."""

    SYSTEM = ""
    HUMANIST = "humanist"
    GEOMETRIC = "geometric"
    ROUNDED = "rounded"
    SERIF = "serif"
    SLAB = "slab"
    MONOSPACE = "monospace"


class Palette(Message, frozen=True):
    """Colours of one theme as ``#rrggbb``; empty for the default.

    `primary` is for buttons and links, `warn` for errors, `font` for text.
    """

    primary: str = ""
    background: str = ""
    warn: str = ""
    font: str = ""


class OwnTexts(Message, frozen=True):
    """Custom texts of an organization in one language.

    Attributes:
        language: language tag.
        sign_in_title: heading of the first sign-in page; empty for the default.
        sign_in_text: one or two sentences below it; empty for none.
        email_text: appended to every email; empty for none.
    """

    language: str
    sign_in_title: str = ""
    sign_in_text: str = ""
    email_text: str = ""


class Branding(Message, frozen=True):
    """An organization's branding, with the instance's values as defaults.

    Attributes:
        tos_link, privacy_link, help_link: https URLs; empty for none.
        support_email: contact address; empty for none.
        hide_login_name_suffix: show login names without the part after the at sign.
        hide_watermark: omit the Portico branding.
        light, dark: colours with sufficient contrast.
        logo: path on the issuer's origin; empty for none.
        logo_dark: logo for a dark background; empty where `logo` is used.
        logo_text: alternative text of the logo; empty if unknown.
        texts: one per language; the first is the fallback.
    """

    tos_link: str = ""
    privacy_link: str = ""
    help_link: str = ""
    support_email: str = ""
    hide_login_name_suffix: bool = False
    hide_watermark: bool = False
    light: Palette = Palette()
    dark: Palette = Palette()
    font_family: FontFamily = FontFamily.SYSTEM
    logo: str = ""
    logo_dark: str = ""
    logo_text: str = ""
    texts: tuple[OwnTexts, ...] = ()

    def texts_in(self, language: str) -> OwnTexts:
        exact = next((one for one in self.texts if one.language == language), None)
        return exact or (self.texts[0] if self.texts else OwnTexts(language=language))
