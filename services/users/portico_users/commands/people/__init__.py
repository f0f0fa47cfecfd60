"""Registration, and proving a mail address by a code.

Who registers has no account yet: what they entered waits with the challenge, and becomes a human when the code that
was mailed is entered. Until then there is nothing to sign in with, no name is taken, and nobody can find out by
signing in whether the address had an account before (LG-01). An hour later nothing of it is left.
"""
