"""The pages of end users: sign-in, registration, logout, errors. Server-rendered, without a script.

Owns: the look of a step, the reading of a form, the words in every language, and nothing between two requests. Does
not own: the order of the steps, what a right password is, sessions, cookies; all that is authz's, called through its
login API (`portico_contracts.login`).

The walk of one answer::

    routes.py          POST /ui/login?request=<id>
    login_flow.py      whose sign-in, which step, what was entered   (numbered steps)
    own_form.py        own page? form readable?
    steps.py           the method of this step reads what was entered
    authz_client.py    calls authz, which returns the step that follows
    onward.py          303 to that step or back into authz, with the cookie authz sets;
                       or the same page again, with what was wrong

``logout_flow.py`` is the same walk for ``/ui/login/logout?request=<id>``, whose one step is the confirmation.
"""
