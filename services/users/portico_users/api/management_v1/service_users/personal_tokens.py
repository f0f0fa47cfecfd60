"""The personal access tokens of service users, as the older API has them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb

from portico_users.api.management_v1.service_users import changes
from portico_users.api.shared.details import changed_details_of, details_of, moment
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.directory.service_users.personal_access_tokens import PersonalToken, load_token
from portico_users.directory.service_users.service_user import ServiceUser


async def add_personal_access_token(
    call: Call[ServiceUser], request: pb.AddPersonalAccessTokenRequest
) -> pb.AddPersonalAccessTokenResponse:
    """Makes a token. Raises as `changes.add_token`."""
    service_user, made = await changes.add_token(call, request)
    details = changed_details_of(service_user)
    return pb.AddPersonalAccessTokenResponse(token_id=made.kept.id, token=made.text, details=details)


async def get_personal_access_token_by_ids(
    call: Call[ServiceUser], request: pb.GetPersonalAccessTokenByIDsRequest
) -> pb.GetPersonalAccessTokenByIDsResponse:
    """What is kept of a token; USER-710 for an unknown one."""
    service_user = call.target.subject
    token = load_token(service_user.personal_tokens, request.token_id)
    return pb.GetPersonalAccessTokenByIDsResponse(token=_message(service_user, token))


async def remove_personal_access_token(
    call: Call[ServiceUser], request: pb.RemovePersonalAccessTokenRequest
) -> pb.RemovePersonalAccessTokenResponse:
    """Takes a token away; USER-710 for an unknown one."""
    service_user = await changes.remove_token(call, request.token_id)
    return pb.RemovePersonalAccessTokenResponse(details=changed_details_of(service_user))


async def list_personal_access_tokens(
    call: Call[ServiceUser], request: pb.ListPersonalAccessTokensRequest
) -> pb.ListPersonalAccessTokensResponse:
    """A page of the tokens, in the order they were made."""
    service_user = call.target.subject
    page = page_out_of(service_user.personal_tokens, request.query)
    return pb.ListPersonalAccessTokensResponse(
        details=details_of_list(len(service_user.personal_tokens)),
        result=[_message(service_user, token) for token in page],
    )


def _message(service_user: ServiceUser, token: PersonalToken) -> pb.PersonalAccessToken:
    message = pb.PersonalAccessToken(id=token.id, details=details_of(service_user))
    if token.expires_at:
        message.expiration_date.CopyFrom(moment(token.expires_at))
    return message
