"""``portico apply``: brings the stored state to what a document declares, and reports what changed.

Everything is planned first, against the stored state, and refused as a whole when anything is wrong; then each
object is committed in its own transaction. A second run finds nothing to do and writes no event. An object
without an id is found by its name within its parent. Ids, client ids and parents never change.

What the document leaves out stays as it is. Passwords and given secrets never replace what is there; a secret
that becomes necessary later, by another authentication method, is set then. A new service user that is given
neither secret nor keys gets a secret, shown once.

Membership roles are exact in each scope (instance, organization) the document names a role of, role grants in
each project it names. Keys, project roles and metadata that the document does not name stay. A key is known by its id or, without
one, by the thumbprint of the key; an expiration in the past ends a key that is registered already.

With ``prune`` a list of the document is all there is of its kind in its place (`removals.py`, and inside of objects
where each is planned). `bulk/export` is the way back.

The walk::

    planner.py    instance's providers, organizations with projects, project grants, users, webhooks, members, instance,
                  removals
    apps.py, …    one kind of object: how the document names it, and its values; its command plans the change
    narrowing.py  what takes roles away from users comes last
    plan.py       what was planned so far: later parts name earlier ones
    owners.py     the instance keeps an owner
    applier.py    commits step by step, with what follows
"""
