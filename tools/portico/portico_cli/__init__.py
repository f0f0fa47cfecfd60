"""The `portico` command: arguments and files, confirmations, requests to services, output and exit status.

A command's module is imported when the command is used. Services are called over the bus as the user
`operator`. `portico_stack` starts servers and services for ``portico up``.
"""
