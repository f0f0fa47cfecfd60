"""The checks of an authorization request, one small file each; `portico_authz.authorize` orders them."""
