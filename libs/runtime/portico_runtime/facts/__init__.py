"""Facts that users owns and other services remember, while they are provably current (decision 0039).

`versions` is what users writes around a commit, `keys` where, `lease` and `remembered` what authz and token do with it.
"""
