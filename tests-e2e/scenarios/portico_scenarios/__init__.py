"""Clients of the end-to-end tests: a browser without scripts, a user in Chromium, a relying party.

Owns: following redirects and submitting forms by element id (`agent`), the page objects (`login_pages`), the
requests of a relying party (`relying_party`), and the checks of an id_token with another library
(`id_token`).

The expected results belong to the scenarios in ``tests-e2e``.
"""
