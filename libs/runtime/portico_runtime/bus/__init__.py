"""Requests, reports and events over NATS: the interface that services use, and its client.

Subjects and messages are in `portico_contracts`.
"""
