"""Sign-ins on own login pages, with the messages of ``zitadel.session.v2`` and ``zitadel.oidc.v2`` (decision 0107)."""
