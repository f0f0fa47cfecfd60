"""Emails, text messages and notices: queue, texts, and the senders that carry them.

Owns what is sent and how. Does not own when: each feature puts its message into the queue in the transaction that causes it.
"""
