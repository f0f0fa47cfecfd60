"""HTTP for all services: error formats, form parsing, cookies, headers, pages.

It defines every status code, header and outer format of a response. The meaning of errors is in
`portico_oauth.errors`.
"""
