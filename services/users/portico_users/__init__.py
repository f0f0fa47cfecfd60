"""users: who there is, what may be signed in to, and how somebody proves to be somebody.

Owns organizations, projects with their roles, applications (clients), humans, service users, keys and secrets of
clients, passwords, role grants, memberships and the log of every change, in its own MongoDB database; says on the
bus that something changed.

Does not own tokens, sessions or the order of the login steps, and never hands out a password, its hash, or
the object of an organization that was not asked for.

The walk of one question (``users.v1.password.verify``)::

    messages.py                     the RPC, decoded
    credentials/verification.py     may it be tried, whose is it, is it right
    accounts/queries.py             login name -> active human of an active organization
    credentials/attempts.py         the attempt is counted before anything is hashed
    credentials/hashing.py          argon2id in a bounded pool

The walk of one change (``users.v1.apply.run``)::

    apply/planner.py                what differs between document and stored state
    <aggregate>/commands.py         the new record, as an entry of the journal
    journal/journal.py              one transaction: state, event, outbox row
    journal/relay.py                outbox -> JetStream
"""
