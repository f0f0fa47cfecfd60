"""Exports of other systems as rows of ``portico user import`` and documents of ``portico apply``.

It reads files only: what services would refuse is asked by the command.
"""
