"""SCIM 2.0: people and groups as directories such as Entra ID, Okta and Google send them (decision 0150).

Owns the connections of organizations, with their secrets, and the wire format of RFC 7643 and RFC 7644 at
``/scim/v2/{connection}``. Does not own users and groups: their commands make each change, with the same rules as for
the management API.

    connection.py   the record of a connection, its secrets, and where it is stored
    mapping.py      what the attributes of users become here, as a setting of a connection
    calls.py        when a connection was last called, and what was refused
    commands.py     adding, changing and removing connections and secrets
    protocol/       the messages, and what they do with users and groups
    api/            the operations of the management API; endpoint.py has the numbered steps of a request of SCIM
"""
