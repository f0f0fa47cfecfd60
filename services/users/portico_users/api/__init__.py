"""The management API, for administrators, programs and end users.

The .proto files in contracts define it; `operations/` is the only table of what is served.
Path of one call::

    transport/endpoints/            JSON over HTTP by path; Connect, gRPC-web and gRPC by method name
    transport/dispatch.py           the numbered steps of every call
    transport/authentication.py     resolves the access token to a caller with permissions
    transport/wire/                 decodes the message and checks the limits of its .proto file
    transport/targets.py            finds the object and its organization
    transport/decision.py           the only place that decides on permissions
    user_v2/, management_v1/, admin_v1/     handler: request to values, command, result to response
    shared/                         conversions shared by several API versions
"""
