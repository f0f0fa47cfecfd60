"""SCIM targets: applications get accounts of their users by SCIM 2.0, before the first sign-in (decision 0155).

Owns the targets of applications, what is known of each account there, and the runs that compare all of them. Does not
own the queues: those of webhooks lease each target to one replica (`TargetQueues`).

The path of one change::

    target_changes.py   marks the user for the targets of the organization
    sender.py           processes the queue of a target, one user after the other
    wanted.py           the account that the user has to have now, or none
    client.py           requests to the target, at its rate
    accounts.py         finds the account there and decides what is to be done; writes it
    target_users.py     what is due, and which account a user has at a target
    comparison.py       one window of a dry run or a comparison
    runs.py             how far a run is, and what it found

A change stores only that a user is due. What is sent is read when it is sent, so that order and repetition do not matter:
a second sending finds the account as it is to be.
"""
