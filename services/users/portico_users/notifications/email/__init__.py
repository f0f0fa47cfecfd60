"""Mails: written in the transaction that needs them, carried by a queue that survives restarts, in the reader's language.

The walk of one mail::

    registration/challenges.py      the challenge and its letter, in one transaction (a user's own: user_codes.py)
    accounts/notices.py             the notice of a change, in the transaction of the change
    mail/queue.py                   sealed, waiting; claimed by one replica at a time
    mail/carrier.py                 sent, tried again later, or given up
    mail/letter.py                  template + language -> subject, text and HTML
    mail/transport.py               SMTP

A mail is sent at least once, and twice only where a replica dies between the server's yes and the note of it; both
then have one Message-ID. What a stranger typed stands in no mail, so that nobody can write to others through it.
"""
