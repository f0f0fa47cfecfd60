"""The servers of a service, for HTTP/1.1 and for gRPC: limits, and an end that loses no request.

Routes, headers and errors are in `portico_web` and in the services.
"""
