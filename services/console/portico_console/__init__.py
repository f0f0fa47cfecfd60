"""console: the management console and the account page.

Two relying parties of Portico itself. They hold the tokens of the people who use them, and no rights of their own: every
page is made of calls to the management API with the access token of the person who looks at it.
"""
