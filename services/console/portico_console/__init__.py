"""console: the management console and the account page, two relying parties of Portico itself.

They have no permissions of their own: every page calls the management API with the access token of its user.
"""
