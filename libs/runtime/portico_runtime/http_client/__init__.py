"""Requests to others over HTTP and DNS: to URLs that users supply, with the rules of egress, and to other services.

What a request means, such as a webhook or the key set of a provider, is with the service that makes it.
"""
