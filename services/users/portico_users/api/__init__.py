"""The management API: what administrators, programs and users themselves do with users and their organizations.

The .proto files of the contracts are the one definition; `operations/` is the one table of what is served.
The walk of one call::

    transport/endpoints/            JSON over HTTP by its path; Connect, gRPC-web and gRPC by the name of the method
    transport/dispatch.py           the numbered steps of every call
    transport/authentication.py     whose token is it, and what may they do where
    transport/wire/                 the message, decoded, with the limits of its .proto file
    transport/targets.py            which object is it about, and whose is that
    transport/decision.py           may they: the one place
    transport/rights.py             not to a user who has more rights than they
    user_v2/, management_v1/, admin_v1/     the handler: values of the message, a command, its result as a message
    shared/                         what messages of several generations have in common
"""
