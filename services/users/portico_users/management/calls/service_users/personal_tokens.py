"""The personal access tokens of service users."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb

from portico_users.domain.key_files import refuse_past
from portico_users.machines.commands import put_machine
from portico_users.machines.machine import Machine
from portico_users.machines.personal_tokens import PersonalToken, load_token, new_token, without_token
from portico_users.management.call import Call
from portico_users.management.calls.committing import commit
from portico_users.management.calls.details import changed_details_of, details_of, moment
from portico_users.management.calls.key_messages import seconds_of
from portico_users.management.calls.listing import details_of_list, page_out_of


async def add_personal_access_token(
    call: Call[Machine], request: pb.AddPersonalAccessTokenRequest
) -> pb.AddPersonalAccessTokenResponse:
    """Makes a token, and keeps its fingerprint.

    Raises:
        Refusal: USER-053 for an end in the past, USER-711 for too many.
    """
    machine = call.target.subject
    expires_at = seconds_of(request)
    refuse_past(expires_at, call.needs.clock.now())
    made = new_token(call.needs.new_id(), expires_at, call.needs.random)
    after = msgspec.structs.replace(machine, personal_tokens=(*machine.personal_tokens, made.kept))
    record = await commit(call, put_machine(machine, after))
    return pb.AddPersonalAccessTokenResponse(token_id=made.kept.id, token=made.text, details=changed_details_of(record))


async def get_personal_access_token_by_ids(
    call: Call[Machine], request: pb.GetPersonalAccessTokenByIDsRequest
) -> pb.GetPersonalAccessTokenByIDsResponse:
    """What is kept of a token; USER-710 for an unknown one."""
    machine = call.target.subject
    token = load_token(machine.personal_tokens, request.token_id)
    return pb.GetPersonalAccessTokenByIDsResponse(token=_message(machine, token))


async def remove_personal_access_token(
    call: Call[Machine], request: pb.RemovePersonalAccessTokenRequest
) -> pb.RemovePersonalAccessTokenResponse:
    """Takes a token away; USER-710 for an unknown one."""
    machine = call.target.subject
    left = without_token(machine.personal_tokens, request.token_id)
    record = await commit(call, put_machine(machine, msgspec.structs.replace(machine, personal_tokens=left)))
    return pb.RemovePersonalAccessTokenResponse(details=changed_details_of(record))


async def list_personal_access_tokens(
    call: Call[Machine], request: pb.ListPersonalAccessTokensRequest
) -> pb.ListPersonalAccessTokensResponse:
    """A page of the tokens, in the order they were made."""
    machine = call.target.subject
    page = page_out_of(machine.personal_tokens, request.query)
    return pb.ListPersonalAccessTokensResponse(
        details=details_of_list(len(machine.personal_tokens)), result=[_message(machine, token) for token in page]
    )


def _message(machine: Machine, token: PersonalToken) -> pb.PersonalAccessToken:
    message = pb.PersonalAccessToken(id=token.id, details=details_of(machine))
    if token.expires_at:
        message.expiration_date.CopyFrom(moment(token.expires_at))
    return message
