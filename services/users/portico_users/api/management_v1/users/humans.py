"""Humans whom older clients create: by the rules and commands of `add_human_user`."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import human_pb2 as pb
from portico_contracts.generated.portico.user.v2 import user_pb2
from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.management_v1.users.passkey_links import LIFETIME, mailed_link
from portico_users.api.management_v1.users.places import ADDED, IMPORTED, at_older_places
from portico_users.api.shared.details import details_of_answer
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.users.add_human_user import create_human, human_of_request
from portico_users.api.user_v2.users.chosen_codes import Chosen, chosen_for_mail, chosen_for_phone
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest
from portico_users.credentials.passwords.imported_hashes import is_made_by
from portico_users.directory.organizations.org import Org
from portico_users.kernel.entry import Work
from portico_users.kernel.problems import at

_PLACE: Final = "passwordlessUrlTemplate"

ALGORITHM_DIFFERS = ErrorCode(
    "USER-891",
    Kind.INVALID_REQUEST,
    "The hash is of another algorithm.",
    "Leave the algorithm out: the form of the hash says it.",
)


async def add_human_user(call: Call[Org], request: pb.AddHumanUserRequest) -> pb.AddHumanUserResponse:
    """Creates the user, who is mailed a link to choose a password unless one is given.

    Raises:
        ServiceError: as the newer `add_human_user`.
    """
    wanted = _newer(request)
    if request.initial_password:
        wanted.password.CopyFrom(user_pb2.Password(password=request.initial_password, change_required=True))
    mail = _mail(call, wanted, invited=not request.initial_password)
    with at_older_places(ADDED):
        created = await create_human(call, wanted, mail, chosen_for_phone(wanted.phone))
    return pb.AddHumanUserResponse(user_id=created.user_id, details=details_of_answer(created.details))


async def import_human_user(call: Call[Org], request: pb.ImportHumanUserRequest) -> pb.ImportHumanUserResponse:
    """Creates the user with everything that is brought along.

    Raises:
        ServiceError: as the newer `add_human_user`; USER-891 for a hash of another algorithm than is said; USER-331,
            USER-542 and USER-543 for a link to register a passkey.
    """
    wanted, answer = _newer(request), pb.ImportHumanUserResponse()
    _bring_along(wanted, request)
    invited = not (request.WhichOneof("password_type") or request.idps or request.request_passwordless_registration)
    mail, phone = _mail(call, wanted, invited=invited), chosen_for_phone(wanted.phone)
    side_writes: tuple[Work, ...] = ()
    if request.request_passwordless_registration:
        wanted.user_id = call.needs.new_id()
        human = human_of_request(call.needs, call.target.org_id, wanted, mail, phone)
        address, work = mailed_link(call.needs, human, call.target.subject, request.passwordless_url_template, _PLACE)
        side_writes = (work,)
        answer.passwordless_registration.link = address
        answer.passwordless_registration.lifetime.CopyFrom(LIFETIME)
        answer.passwordless_registration.expiration.CopyFrom(LIFETIME)
    with at_older_places(IMPORTED):
        created = await create_human(call, wanted, mail, phone, side_writes)
    answer.MergeFrom(pb.ImportHumanUserResponse(user_id=created.user_id, details=details_of_answer(created.details)))
    return answer


def _newer(request: pb.AddHumanUserRequest | pb.ImportHumanUserRequest) -> AddHumanUserRequest:
    """What both messages say, as the newer one says it."""
    email, phone = request.email, request.phone
    return AddHumanUserRequest(
        username=request.user_name,
        profile=request.profile,
        email=user_pb2.SetHumanEmail(email=email.email, is_verified=email.is_email_verified or None),
        phone=user_pb2.SetHumanPhone(phone=phone.phone, is_verified=phone.is_phone_verified or None),
    )


def _bring_along(wanted: AddHumanUserRequest, request: pb.ImportHumanUserRequest) -> None:
    """Adds what only an import has; USER-891."""
    must_change = request.password_change_required
    match request.WhichOneof("password_type"):
        case "password":
            password = user_pb2.Password(password=request.password, change_required=must_change)
            wanted.password.CopyFrom(password)
        case "hashed_password":
            hashed = request.hashed_password
            if hashed.algorithm and not is_made_by(hashed.value, hashed.algorithm):
                raise at("hashedPassword.algorithm", ALGORITHM_DIFFERS.error())
            wanted.hashed_password.CopyFrom(user_pb2.HashedPassword(hash=hashed.value, change_required=must_change))
        case _:
            pass
    for idp in request.idps:
        wanted.idp_links.add(idp_id=idp.config_id, user_id=idp.external_user_id, user_name=idp.display_name)


def _mail(call: Call[Org], wanted: AddHumanUserRequest, *, invited: bool) -> Chosen:
    """What is mailed: to who has nothing to sign in with the link to choose a password, which proves the address too."""
    chosen = chosen_for_mail(call.needs, wanted.email, "email")
    if not invited or not call.needs.codes.can_send_email:
        return chosen
    return chosen._replace(code_request=CodeRequest(Subject.PASSWORD))
