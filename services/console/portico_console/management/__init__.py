"""The management API, called with the access token of the person who looks at the page."""
