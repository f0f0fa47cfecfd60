"""HTTP for all services: error formats, form parsing, cookies, headers, pages."""
