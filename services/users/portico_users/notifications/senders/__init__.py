"""Senders: a signed HTTP hook for text messages, and an organization's own hook or SMTP server for its emails.

Path of a text message or of an email by an organization's own sender::

    email/queue.py            encrypted and pending, like every email
    choice.py                 whose sender carries it: the organization's or the instance's
    allowance.py              how many text messages an organization may still send
    hook.py                   posts it, signed like webhooks (Standard Webhooks)
    own_smtp.py               an organization's SMTP server, by the egress rules of `portico_runtime.http_client.outbound`

Nothing is sent until a sender is configured.
"""
