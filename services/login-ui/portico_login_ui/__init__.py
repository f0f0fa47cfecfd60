"""The login pages: sign-in, registration, logout, errors. Server-rendered and stateless.

The order of the steps, password rules, sessions and cookies belong to authz, called through its login API
(`portico_contracts.login`).

The path of one answer::

    routes.py          POST /ui/login?request=<id>
    login_flow.py      request, step, input (numbered steps)
    own_form.py        checks the origin and parses the form
    steps.py           the method of this step reads the input
    authz_client.py    calls authz, which returns the following step
    redirects.py       303 to that step or to authz, with the cookie set by authz;
                       or the same page again, with the problem

``logout_flow.py`` is the same for ``/ui/login/logout?request=<id>``, whose only step is the confirmation.
"""
