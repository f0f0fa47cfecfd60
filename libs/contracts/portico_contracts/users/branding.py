"""How pages and emails of an organization look: what the label policy and the privacy policy in force come to."""

from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message


class PrivateLabeling(StrEnum):
    """Whose branding the login pages of a project's applications show.

    `UNSPECIFIED`: that of the organization the request names by its scope, else the instance's. `PROJECT`: always that of
    the project's organization. `USER`: that of the user's organization as soon as a user has authenticated, before that the
    one of the organization that scope or login name names, else of the project's.
    """

    UNSPECIFIED = "unspecified"
    PROJECT = "project"
    USER = "user"


class FontFamily(StrEnum):
    """Which of the fonts that systems have the pages are set in; `SYSTEM` is the one of the system's own windows."""

    SYSTEM = ""
    HUMANIST = "humanist"
    GEOMETRIC = "geometric"
    ROUNDED = "rounded"
    SERIF = "serif"
    SLAB = "slab"
    MONOSPACE = "monospace"


class Palette(Message, frozen=True):
    """Colours of one theme as ``#rrggbb``; empty for Portico's own.

    Attributes:
        primary: of buttons and links.
        warn: of what went wrong.
        font: of text.
    """

    primary: str = ""
    background: str = ""
    warn: str = ""
    font: str = ""


class OwnTexts(Message, frozen=True):
    """What an organization writes on its pages and in its emails, in one language.

    Attributes:
        language: tag of the language.
        sign_in_title: heading of the first page of a sign-in, in the place of Portico's; empty for Portico's.
        sign_in_text: a sentence or two below it; empty for none.
        email_text: at the end of every email; empty for none.
    """

    language: str
    sign_in_title: str = ""
    sign_in_text: str = ""
    email_text: str = ""


class Branding(Message, frozen=True):
    """What an organization shows on pages and in emails, its own values before those of the instance.

    Attributes:
        tos_link, privacy_link, help_link: https addresses; empty for none.
        support_email: an address for questions; empty for none.
        hide_login_name_suffix: login names are shown without what follows the at sign.
        hide_watermark: Portico's own mark is left out.
        light, dark: colours; text can be read in them.
        logo: path of the logo on the origin of the issuer; empty for none.
        logo_dark: of another one for a dark background; empty where `logo` is shown there as well.
        logo_text: what the logo shows; empty where no name is known.
        texts: each in one language; the first is for languages that have none.
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
        """The texts for a language; empty ones where there are none at all."""
        exact = next((one for one in self.texts if one.language == language), None)
        return exact or (self.texts[0] if self.texts else OwnTexts(language=language))
