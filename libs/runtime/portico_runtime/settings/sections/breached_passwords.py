from __future__ import annotations

from pydantic import Field, ValidationInfo, field_validator

from portico_runtime.settings.section import Section


class BreachedPasswordsSection(Section):
    """The list of passwords known from data breaches, for organizations whose policy refuses them."""

    breached_passwords_file: str = Field(
        default="",
        description="List of breached passwords for use without network, as written by the downloader of Have I Been Pwned: one sorted file of SHA-1 hashes with counts, or a directory of range files. Empty: none.",
    )
    breached_passwords_url: str = Field(
        default="",
        description="Range service to ask instead, such as https://api.pwnedpasswords.com/range. It gets the first 5 of 40 hexadecimal digits of the hash. Empty: none.",
    )

    @field_validator("breached_passwords_url")
    @classmethod
    def _is_the_only_list(cls, value: str, info: ValidationInfo) -> str:
        if value and info.data.get("breached_passwords_file"):
            raise ValueError("set it or PORTICO_BREACHED_PASSWORDS_FILE, not both")
        if value and not value.startswith(("https://", "http://")):
            raise ValueError("must be an https URL")
        return value
