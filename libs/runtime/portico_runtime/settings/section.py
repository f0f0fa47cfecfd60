from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict

PREFIX: Final = "PORTICO_"
CA_FILE: Final = (
    "PEM file of the only CA certificates to trust, with key identifiers or without. Empty: those of the system."
)


class Section(BaseModel):
    """A group of settings that services inherit.

    Every setting is one text, read by `load` and converted by Pydantic. pydantic-settings would take more
    memory than most services' own code (decision 0044).
    """

    model_config = ConfigDict(extra="ignore", frozen=True, validate_default=True, hide_input_in_errors=True)


class InvalidSetting(ValueError):
    pass
