"""The personal access tokens of service users, as the older API has them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb

from portico_users.api.shared.details import changed_details_of, details_of, timestamp_of
from portico_users.api.shared.key_messages import expiration_of
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.commands.service_users.credentials import PersonalTokens
from portico_users.directory.service_users.personal_access_tokens import PersonalToken, load_token
from portico_users.directory.service_users.service_user import ServiceUser


async def add_personal_access_token(
    call: Call[ServiceUser], request: pb.AddPersonalAccessTokenRequest, *, tokens: PersonalTokens
) -> pb.AddPersonalAccessTokenResponse:
    """Adds a token. Raises as `PersonalTokens.add`."""
    expires_at = expiration_of(request)
    service_user, made = await tokens.add(call.target.subject, expires_at, actor=call.caller.user_id)
    details = changed_details_of(service_user)
    return pb.AddPersonalAccessTokenResponse(token_id=made.kept.id, token=made.text, details=details)


async def get_personal_access_token_by_ids(
    call: Call[ServiceUser], request: pb.GetPersonalAccessTokenByIDsRequest
) -> pb.GetPersonalAccessTokenByIDsResponse:
    """A token without its text; USER-710 for an unknown one."""
    service_user = call.target.subject
    token = load_token(service_user.personal_tokens, request.token_id)
    return pb.GetPersonalAccessTokenByIDsResponse(token=_message(service_user, token))


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
        message.expiration_date.CopyFrom(timestamp_of(token.expires_at))
    return message
