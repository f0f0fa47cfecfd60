"""users: organizations, clients, users and their credentials.

Owns organizations, projects with their roles and grants, applications, users, client keys and secrets,
passwords, role grants, policies and the log of every change, in a separate MongoDB database; publishes an
event for each change, and sends emails. Does not own tokens, sessions or the order of the login steps, and
never returns a password, its hash, or an object of another organization.

The walk of one request (``users.v1.password.verify``)::

    messages.py                                 the RPC, decoded
    credentials/passwords/verification.py       the attempt, the account, the comparison, the result
    accounts/queries.py                         login name -> active human of an active organization
    credentials/attempts/attempts.py            the attempt is counted before anything is hashed
    credentials/passwords/hash_mix.py           a name without a hash: the kind of the hash compared instead
    credentials/passwords/hash_queue.py         admission, by the queue of native hashes or of imported ones
    credentials/passwords/hashing.py            the comparison, in a thread

The walk of one registration (``users.v1.human.register``, then ``users.v1.mail.verify``)::

    end_users/commands/register.py              the policy, the owner of the address; the same work either way
    end_users/codes/challenges.py               one transaction: the challenge with the applicant, and its email
    notifications/email/dispatcher.py           the email is sent
    end_users/commands/verify_email.py          one transaction: challenge used, human created, event stored

The walk of one change (``users.v1.apply.run``)::

    documents/planner.py                        what differs between document and stored state
    <feature>/commands/                         whether the change is valid: the new record, as an entry of the journal
    journal/journal.py                          one transaction: state, event, outbox row,
    grants/constraints.py                       and what else changes with it
    journal/outbox.py                           outbox -> JetStream
"""
