"""New users as requests of `portico.management.v1` and `portico.admin.v1` describe them."""

from __future__ import annotations

from collections.abc import Iterable

from portico_contracts.apply import Address, Attributes, Gender, HashedPassword, Password, Profile
from portico_contracts.generated.portico.admin.v1.org_service_pb2 import SetUpOrgRequest
from portico_contracts.generated.portico.management.v1 import human_pb2 as human_pb
from portico_contracts.generated.portico.management.v1.human_pb2 import UpdateHumanProfileRequest
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb

from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.end_users.end_user import ProofKind
from portico_users.end_users.idp_links import IdpLink, IdpLinks
from portico_users.end_users.new_end_user import MetadataValues, NewEndUser


def new_human_of(
    request: human_pb.AddHumanUserRequest | human_pb.ImportHumanUserRequest | SetUpOrgRequest.Human,
    codes: UserCodes,
    *,
    password: Password | HashedPassword | None,
    invited: bool,
) -> NewEndUser:
    """Reads the shared fields; ``invited`` sends an invitation, which also verifies the address, not a code."""
    email, phone = request.email, request.phone
    code_request = (
        CodeRequest(Subject.INVITE) if invited else None if email.is_email_verified else CodeRequest(Subject.EMAIL)
    )
    return NewEndUser(
        user_name=request.user_name,
        profile=profile_of(request.profile),
        email=email.email,
        email_proof=ProofKind.ASSERTED if email.is_email_verified else None,
        phone=phone.phone,
        phone_verified=phone.is_phone_verified,
        password=password,
        codes=(code_request,) if codes.can_send_email else (),
    )


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
