"""What Portico answers over HTTP: the four surfaces errors are rendered on, form reading, cookies, headers, pages.

Owns every status code, header and outer shape of an answer. Does not own the meaning of an error
(`portico_oauth.errors`) and knows no service.
"""
