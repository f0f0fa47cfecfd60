"""What messages say of a human, as the record has it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from portico_contracts.apply import Gender
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.people.human import Address, Human, default_display_name
from portico_users.kernel.problems import at

KEY_TWICE = ErrorCode("USER-317", Kind.INVALID_REQUEST, "This key stands there twice.", "Give each metadata key once.")


def profile_values(profile: pb.HumanProfile) -> dict[str, Any]:
    """Everything a profile says, by the names of the record."""
    return {
        "first_name": profile.first_name,
        "last_name": profile.last_name,
        "display_name": profile.display_name or default_display_name(profile.first_name, profile.last_name),
        "nick_name": profile.nick_name,
        "preferred_language": profile.preferred_language,
        "gender": Gender(pb.Gender.Name(profile.gender)),
    }


def with_attributes(human: Human, attributes: pb.HumanAttributes) -> Human:
    """The human with all its attributes replaced."""
    address = attributes.address
    return msgspec.structs.replace(
        human,
        middle_name=attributes.middle_name,
        profile_url=attributes.profile_url,
        website=attributes.website,
        picture=attributes.picture,
        birthdate=attributes.birthdate,
        zoneinfo=attributes.zoneinfo,
        address=Address(**{name: getattr(address, name) for name in Address.__struct_fields__})
        if attributes.HasField("address")
        else None,
    )


def metadata_values(entries: Iterable[pb.SetMetadataEntry]) -> dict[str, bytes]:
    """Values by key.

    Raises:
        ServiceError: USER-317, naming the entry, for a key that stands there twice.
    """
    values: dict[str, bytes] = {}
    for number, entry in enumerate(entries):
        if entry.key in values:
            raise at(f"metadata[{number}].key", KEY_TWICE.error())
        values[entry.key] = entry.value
    return values
