from __future__ import annotations

from collections.abc import Iterable

from portico_contracts.apply import Address, Attributes, Gender, HashedPassword, Password, Profile
from portico_contracts.generated.portico.management.v1.human_pb2 import UpdateHumanProfileRequest
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb

from portico_users.commands.end_users.new_end_user import MetadataValues
from portico_users.resources.end_users.idp_links import IdpLink, IdpLinks


def profile_of(message: pb.NewHumanProfile | pb.HumanProfile | UpdateHumanProfileRequest) -> Profile:
    return Profile(
        first_name=message.first_name,
        last_name=message.last_name,
        display_name=message.display_name,
        nick_name=message.nick_name,
        preferred_language=message.preferred_language,
        gender=Gender(pb.Gender.Name(message.gender)),
    )


def attributes_of(message: pb.HumanAttributes) -> Attributes:
    address = message.address
    return Attributes(
        middle_name=message.middle_name,
        profile_url=message.profile_url,
        website=message.website,
        picture=message.picture,
        birthdate=message.birthdate,
        zoneinfo=message.zoneinfo,
        address=Address(**{name: getattr(address, name) for name in Address.__struct_fields__})
        if message.HasField("address")
        else None,
    )


def metadata_of(entries: Iterable[pb.SetMetadataEntry]) -> MetadataValues:
    return [(entry.key, entry.value) for entry in entries]


def links_of(links: Iterable[pb.IdpLink]) -> IdpLinks:
    return tuple(IdpLink(idp_id=link.idp_id, user_id=link.user_id, user_name=link.user_name) for link in links)


def password_of(message: pb.Password) -> Password:
    return Password(password=message.password, change_required=message.change_required)


def hashed_password_of(message: pb.HashedPassword) -> HashedPassword:
    return HashedPassword(hash=message.hash, change_required=message.change_required)
