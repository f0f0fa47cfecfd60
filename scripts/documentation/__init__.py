"""The documentation site: pages from the whole repository, the API reference, the navigation and llms.txt."""
