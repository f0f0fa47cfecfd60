"""users: who there is, what may be signed in to, and how somebody proves to be somebody.

Owns organizations, projects with their roles and grants, applications (clients), humans, service users, keys and secrets of
clients, passwords, role grants, memberships, login policies, the proof of mail addresses and the log of every change, in its
own MongoDB database; says on the bus that something changed, and sends mails.

Does not own tokens, sessions or the order of the login steps, and never hands out a password, its hash, or
the object of an organization that was not asked for.

The walk of one question (``users.v1.password.verify``)::

    messages.py                     the RPC, decoded
    credentials/verification.py     may it be tried, whose is it, is it right
    accounts/queries.py             login name -> active human of an active organization
    credentials/attempts.py         the attempt is counted before anything is hashed
    credentials/hash_mix.py         a name without a hash: of which kind one is compared
    credentials/hash_queue.py       may it begin now, in the lane of our own hashes or of costly ones
    credentials/hashing.py          the comparison, in a thread

The walk of one registration (``users.v1.human.register``, then ``users.v1.mail.verify``)::

    registration/register.py        may it be, whose address is it; the same work either way
    registration/challenges.py      one transaction: the challenge, which holds who asked, and its mail
    mail/carrier.py                 the mail is sent
    registration/verify.py          one transaction: the challenge is used up, the human is there, the event waits

The walk of one change (``users.v1.apply.run``)::

    apply/planner.py                what differs between document and stored state
    <aggregate>/commands.py         the new record, as an entry of the journal
    journal/journal.py              one transaction: state, event, outbox row,
    accounts/ties.py                and what else changes with it
    journal/relay.py                outbox -> JetStream
"""
