"""The real servers: how each is configured, started and prepared, one module per server.

A server class holds its address and passwords, and gives the `Program` to run and ``prepare``: what has to exist
in it before a service logs in. Every service is a user of its own with nothing but its own keys, databases and
subjects (IN-05).
"""
