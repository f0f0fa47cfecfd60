"""Client authentication (RFC 6749 section 2.3, OIDC Core section 9), in two steps.

*Find* (`credentials.py`): every endpoint passes what a request presents as one value; exactly one mechanism of it
becomes `Credentials`, or invalid_request is raised.
*Verify* (`authentication.py`): the method must be in `CLIENT_AUTH`, registered for the client, and allowed at the
endpoint. Only then is there an `AuthenticatedClient`. `by_assertion.py` is for the JWT profile grant,
`by_workload.py` for tokens of other issuers, which need no registered method (decision 0152).
"""
