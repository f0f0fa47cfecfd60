"""The management API: what administrators, programs and people themselves do with users and their organizations.

The .proto files of the contracts are the one definition; `operations.py` is the one table of what is served.
The walk of one call::

    endpoints/                 JSON over HTTP by its path; Connect, gRPC-web and gRPC by the name of the method
    dispatch.py                the numbered steps every call goes through
    authentication.py          whose token is it, and what may they do where
    wire/                      the message, decoded, with the limits of its .proto file
    targets.py                 which object is it about, and whose is that
    decision.py                may they: the one place
    rights.py                  not to somebody who may do more than they
    calls/<subject>/           what the operation does
    calls/…/*_messages.py      records as messages
"""
