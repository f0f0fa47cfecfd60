"""The keys of applications that authenticate by private_key_jwt."""

from __future__ import annotations

import asyncio

import msgspec
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.key_messages import end_of, key_message, key_messages
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.directory.apps.app_record import App
from portico_users.directory.apps.changes import put_app
from portico_users.directory.apps.secret_changes import require_keys
from portico_users.directory.client_keys.key_files import key_file, load_key, new_key, without_key


async def add_app_key(call: Call[App], request: pb.AddAppKeyRequest) -> pb.AddAppKeyResponse:
    """Makes a key, keeps its public half and gives out the file with the private one.

    Raises:
        ServiceError: USER-708 where the method signs nothing, USER-052, USER-053 for the end, USER-054 for too many.
    """
    app = call.target.subject
    require_keys(app)
    now = call.needs.clock.now()
    expires_at = end_of(request, now)
    made = await asyncio.to_thread(new_key, call.needs.new_id(), created=now, expires_at=expires_at)
    record = await commit(call, put_app(app, msgspec.structs.replace(app, keys=(*app.keys, made.key))))
    file = key_file("application", made, appId=app.id, clientId=app.client_id)
    return pb.AddAppKeyResponse(id=made.key.kid, details=changed_details_of(record), key_details=file)


async def get_app_key(call: Call[App], request: pb.GetAppKeyRequest) -> pb.GetAppKeyResponse:
    """What is kept of a key; USER-706 for an unknown one."""
    app = call.target.subject
    return pb.GetAppKeyResponse(key=key_message(app, load_key(app.keys, request.key_id)))


async def remove_app_key(call: Call[App], request: pb.RemoveAppKeyRequest) -> pb.RemoveAppKeyResponse:
    """Takes a key away; USER-706 for an unknown one."""
    app = call.target.subject
    after = msgspec.structs.replace(app, keys=without_key(app.keys, request.key_id))
    record = await commit(call, put_app(app, after))
    return pb.RemoveAppKeyResponse(details=changed_details_of(record))


async def list_app_keys(call: Call[App], request: pb.ListAppKeysRequest) -> pb.ListAppKeysResponse:
    """A page of the keys, in the order they were added."""
    app = call.target.subject
    page = page_out_of(app.keys, request.query)
    return pb.ListAppKeysResponse(details=details_of_list(len(app.keys)), result=key_messages(app, page))
