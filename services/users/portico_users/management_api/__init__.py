"""The management API, for administrators, programs and end users.

The .proto files in contracts define it; `all_operations.py` collects the `api/operations.py` of each feature: the only
tables of what is served.
Path of one call::

    transport/endpoints/            JSON over HTTP by path; Connect, gRPC-web and gRPC by method name
    transport/dispatch.py           the numbered steps of every call
    transport/authentication.py     resolves the access token to a caller with permissions
    transport/wire/                 decodes the message and checks the limits of its .proto file
    transport/targets.py            finds the object and its organization
    transport/decision.py           the only place that decides on permissions
    <feature>/api/                  handler: request to values, command, result to response
    protobuf/                       conversions between messages and values
"""
