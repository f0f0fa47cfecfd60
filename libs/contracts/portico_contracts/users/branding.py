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
