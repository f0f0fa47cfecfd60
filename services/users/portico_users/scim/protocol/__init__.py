"""The messages of SCIM (RFC 7643, RFC 7644, RFC 9865), and what they do with users and groups.

errors.py         what is wrong with a request
filters.py        the language of filters, limited before it costs
attributes.py     names and paths of attributes, and which of them an answer has
schema.py         the attributes of users; values.py how clients write values
placement.py      where attributes are stored, as the mapping of a connection has it
patch.py          PATCH in the dialects of Entra ID, Okta and Google
user_values.py    users: what a client sends, as values of an account, and back
users.py          what is done with users; group_changes.py and groups.py the same with groups
listing.py        pages, and what filters request from the store
discovery.py      ServiceProviderConfig, ResourceTypes, Schemas
"""
