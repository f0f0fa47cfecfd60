"""Emails: enqueued in the transaction they are about, sent from a durable queue, in the recipient's language.

Path of one email::

    end_users/codes/challenges.py             challenge and email in one transaction (codes of a user: user_codes.py)
    notifications/notices/          the notice of an event, in the transaction of the event
    queue.py                        encrypted and pending; claimed by one replica at a time
    dispatcher.py                   sends, retries or gives up
    message.py                      template and language to subject, text and HTML
    transport.py                    SMTP
    delivery_record.py              when the server last accepted an email, and when it did not

An email is sent at least once; twice only if a replica fails between the server's acceptance and recording
it, both with the same Message-ID. Emails contain no text typed by anonymous callers, so that they cannot be
abused to send it.
"""
