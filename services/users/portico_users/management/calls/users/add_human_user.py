"""Creates a human: the specification's "create a human user"."""

from __future__ import annotations

import dataclasses

import msgspec
from portico_contracts.apply import Gender
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb
from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest, AddHumanUserResponse
from portico_oauth.errors import Fact, Kind, Refusal

from portico_users.credentials.block_list import common_passwords
from portico_users.credentials.imported_hashes import refuse_unusable
from portico_users.credentials.passwords import password_attachment
from portico_users.domain.names import ID_REFUSED, MAX_LENGTH, is_id
from portico_users.domain.password_policy import problem_with
from portico_users.domain.problems import at
from portico_users.domain.records import Record, State
from portico_users.humans.commands import put_human
from portico_users.humans.human import Address, Human, default_display_name, with_metadata
from portico_users.humans.mail_codes import CodeWish, PlannedCode
from portico_users.journal.entry import Attachment, Entry
from portico_users.management.call import Call, Question, Target
from portico_users.management.calls.details import changed_details_of
from portico_users.management.needs import Needs
from portico_users.management.targets import ORG_ABSENT, header_org_id, own_or_named_org
from portico_users.orgs.org import Org

ORGS_DIFFER = Fact(
    "USER-316",
    Kind.MALFORMED,
    "The id and the domain are those of different organizations.",
    "Name the organization in one way.",
)
KEY_TWICE = Fact("USER-317", Kind.MALFORMED, "This key stands there twice.", "Give each metadata key once.")
IDP_ABSENT = Fact(
    "USER-318", Kind.ABSENT, "There is no such identity provider.", "Check the id of the identity provider."
)


async def org_of_new_user(question: Question, request: AddHumanUserRequest) -> Target[Org]:
    """The organization the request names, by id, by domain or by both; else as `own_or_named_org`.

    Raises:
        Refusal: USER-314 for an unknown one, USER-316 for two, USER-313.
    """
    named = request.organisation
    if not named.org_id and not named.org_domain:
        return await own_or_named_org(question, request)
    header_org_id(question)
    orgs = question.needs.orgs
    found = []
    if named.org_id:
        found.append(await orgs.find(named.org_id[: MAX_LENGTH + 1]))
    if named.org_domain:
        found.append(await orgs.find_by_domain(named.org_domain))
    org = found[0]
    if org is None or org.state is not State.ACTIVE or None in found:
        raise ORG_ABSENT.refusal()
    target = Target(org.id, org, ORG_ABSENT)
    if any(other is not None and other.id != org.id for other in found):
        # Only who may know both learns that they differ.
        raise (ORGS_DIFFER if all(o and question.caller.knows(o.id) for o in found) else ORG_ABSENT).refusal()
    return target


async def add_human_user(call: Call[Org], request: AddHumanUserRequest) -> AddHumanUserResponse:
    """Creates the user, its password and its code in one transaction.

    Raises:
        Refusal: of the rules for humans and passwords, each naming its field; USER-010 and USER-011 for an id or
            a name that is taken; USER-317, USER-318, USER-320, USER-321, USER-331.
    """
    needs = call.needs
    human = _human(needs, call.target.org_id, request)
    entry = put_human(None, human)
    if request.idp_links:
        raise at("idpLinks[0].idpId", IDP_ABSENT.refusal())
    password = await _password(needs, human, request)
    code = _code(needs, human, request.email)
    attached = ("password",) if password else ()
    entry = dataclasses.replace(entry, attachments=(*password, *code.attachments), attached=attached)
    record = await _commit(call, entry)
    answer = AddHumanUserResponse(user_id=record.id, details=changed_details_of(record))
    if code.code:
        answer.email_code = code.code
    return answer


async def _commit(call: Call[Org], entry: Entry[Human]) -> Record:
    (record,) = await call.needs.journal.commit((entry,), actor=call.caller.user_id)
    return record


def _human(needs: Needs, org_id: str, request: AddHumanUserRequest) -> Human:
    if request.HasField("user_id") and not is_id(request.user_id):
        raise at("userId", ID_REFUSED.refusal())
    profile, email = request.profile, request.email
    human = Human(
        id=request.user_id or needs.new_id(),
        org_id=org_id,
        user_name=request.username or email.email,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name or default_display_name(profile.first_name, profile.last_name),
        nick_name=profile.nick_name,
        preferred_language=profile.preferred_language,
        gender=Gender(pb.Gender.Name(profile.gender)),
        email=email.email,
        email_verified=email.is_verified,
        phone=request.phone.phone,
        phone_verified=request.phone.is_verified,
        metadata=with_metadata((), _metadata(request)),
        has_password=request.WhichOneof("password_type") is not None,
        password_change_required=request.password.change_required or request.hashed_password.change_required,
    )
    return _with_attributes(human, request.attributes)


def _metadata(request: AddHumanUserRequest) -> dict[str, bytes]:
    values: dict[str, bytes] = {}
    for number, entry in enumerate(request.metadata):
        if entry.key in values:
            raise at(f"metadata[{number}].key", KEY_TWICE.refusal())
        values[entry.key] = entry.value
    return values


def _with_attributes(human: Human, attributes: pb.HumanAttributes) -> Human:
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


async def _password(needs: Needs, human: Human, request: AddHumanUserRequest) -> tuple[Attachment, ...]:
    """The hash to be stored: one that was brought, or that of a password the policy takes."""
    match request.WhichOneof("password_type"):
        case "hashed_password":
            try:
                refuse_unusable(request.hashed_password.hash)
            except Refusal as refusal:
                raise at("hashedPassword.hash", refusal) from None
            return (password_attachment(human.id, request.hashed_password.hash),)
        case "password":
            text = request.password.password
            if problem := problem_with(text, human.user_name, common_passwords()):
                raise at("password.password", problem.refusal())
            async with needs.pool.place() as argon2:
                return (password_attachment(human.id, await argon2.hash(text)),)
        case _:
            return ()


def _code(needs: Needs, human: Human, email: pb.SetHumanEmail) -> PlannedCode:
    """The code for the address; none for one the caller vouches for. ``isVerified: false`` says nothing."""
    if email.is_verified:
        return PlannedCode()
    returned = email.WhichOneof("verification") == "return_code"
    return needs.mail_codes.plan(human, CodeWish(returned=returned, url_template=email.send_code.url_template))
