"""How the end-to-end tests act: as a browser without scripts, as a person in Chromium, as a relying party.

Owns: following redirects and submitting forms by element id (`agent`), the page objects (`login_pages`), the
requests of a relying party (`relying_party`), and the checks of an id_token with another library (`id_token`).

Does not own: what a right answer is; the scenarios in ``tests-e2e`` define that.
"""
