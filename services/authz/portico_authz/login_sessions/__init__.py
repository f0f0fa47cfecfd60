"""Sign-ins on own login pages (decision 0107).

A login client verifies factors in a login session (`check_login`) and finishes an authorization request with it
(`finish_login`). That starts no session: it returns an address with a one-time proof, which only the browser in which the
request began can use (`resume_with_proof`), so that neither the proof nor the cookie of a browser is enough.
"""
