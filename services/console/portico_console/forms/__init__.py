"""Forms made of descriptors: the fields of a request as a page shows them, and what was typed as fields of a request."""
