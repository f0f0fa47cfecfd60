"""The pages people see: login name, password, errors, signed out. Server-rendered, without a script.

Owns: the look of a step, the reading of a form, and nothing between two requests. Does not own: the order of the
steps, what a right password is, sessions, cookies; all that is authz's, asked through its login API
(`portico_contracts.login`).

The walk of one answer::

    routes.py          POST /ui/login?request=<id>
    login_flow.py      own page? form, browser, step readable?       (numbered steps)
    steps.py           the method of this step reads what was entered
    authz_client.py    asks authz for the step that follows
    onward.py          303 to that step or back into authz, with the cookie authz sets;
                       or the same page again, saying what was wrong
"""
