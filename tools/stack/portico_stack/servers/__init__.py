"""The servers: configuration, start and preparation, one module per server.

A class provides the `Program` to run and ``prepare``, which creates what services need. Every service has its
own user, restricted to its own keys, databases and subjects (IN-05).
"""
