"""``portico user convert``: exports of other systems as rows of ``portico user import``.

Each source is a module with a function that yields `Person` by `Person`; `sources` is the table of them. `person` makes the
row, with what all sources have in common; `findings` reports what is not moved. No module needs a running Portico.
"""
