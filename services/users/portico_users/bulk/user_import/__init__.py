"""``portico user import``: humans by the thousand, each created as the management API creates one.

A row is the body of ``POST /v2/users/human``. It is looked at as a whole first, so that everything wrong with it is
said at once; then it goes through the same command. Whoever is there already with the same data is left alone: a run
that was interrupted is simply started again. No mail is sent unless a row asks for it with ``sendCode``.
"""
