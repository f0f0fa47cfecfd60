"""``portico apply``: brings the stored state to what a document declares and reports the changes.

The whole document is planned against the stored state first; any error refuses all of it. Then each object is
committed in its own transaction. A second run changes nothing and writes no event. An object without an id is
found by its name within its parent. Ids, client ids and parents never change.

Anything absent from the document stays unchanged. Passwords and given secrets never replace existing ones; a
secret that becomes necessary later, through another authentication method, is set then. A new service user
with neither secret nor keys gets a secret, which is shown once.

Membership roles are exact in each scope (instance, organization) in which the document lists a role, and role
grants in each project it lists. Keys, project roles and metadata absent from the document stay. A key is
identified by its id or, without one, by its thumbprint; an expiration in the past ends a registered key.

With ``prune`` each list of the document is complete: anything else of that kind in that place is removed
(`removals.py`, and the planners for parts of objects). `bulk/export` is the reverse.

Modules::

    planner.py    instance providers, organizations with projects, project grants, users, webhooks, members, instance
                  settings, removals
    apps.py, …    one kind of object: its identification and values in the document; its command plans the change
    narrowing.py  orders changes that take roles from users last
    plan.py       the plan so far, which later parts refer to
    owners.py     makes sure that the instance keeps an owner
    applier.py    commits step by step, with dependent changes
"""
