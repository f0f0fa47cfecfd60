"""Collections of MongoDB: what is stored of a record, indexes, pages, reads gathered into one query, transactions."""
