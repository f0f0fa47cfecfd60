"""Emails: enqueued in the transaction they are about, sent from a durable queue, in the recipient's language.

The way of one email::

    codes/challenges.py             the challenge and its email, in one transaction (codes of a user: user_codes.py)
    notifications/notices/          the notice of an event, in the transaction of the event
    queue.py                        sealed, waiting; claimed by one replica at a time
    dispatcher.py                   sent, retried later, or given up
    message.py                      template + language -> subject, text and HTML
    transport.py                    SMTP

An email is sent at least once, and twice only where a replica dies between the server's acceptance and its record of it;
both then have one Message-ID. No email contains text that an anonymous caller typed, so that none can be abused to send it.
"""
