"""``portico apply`` and ``portico export``: documents of stored objects, planned, committed and written.

Each feature has its own part: `document.py` plans its objects, `export.py` writes them. `plan.py`, `step.py`,
`finding.py` and `written.py` are what these parts share; the other modules bring them together.

Applying brings the stored state to what a document declares and reports the changes.

The whole document is planned against the stored state first; any error refuses all of it. Then each object is
committed in its own transaction. A second run changes nothing and writes no event. An object without an id is
found by its name within its parent. Ids, client ids and parents never change.

Anything absent from the document stays unchanged. Passwords and given secrets never replace existing ones; a
secret that another authentication method makes necessary is set then. A new service user with neither secret
nor keys gets a secret, which is shown once. Membership roles are exact in each scope listed, role grants in
each project listed. A key is identified by its id or, without one, by its thumbprint.

With ``prune`` each list of the document is complete: anything else of that kind in that place is removed.

Modules::

    planner.py    instance providers, organizations with projects, project grants, users, webhooks, members, instance
                  settings, removals
    plan.py       the plan so far, which later parts refer to; changes that take roles from users come last
    owners.py     makes sure that the instance keeps an owner
    applier.py    commits step by step, with dependent changes
    exporter.py   writes a document in parts
"""
