"""``portico user convert``: converts exports of other systems to rows of ``portico user import``.

Each source is a module with a function that yields `Person` objects, listed in `sources`. `person` builds the
row; `findings` reports data that is not converted. No running Portico is needed.
"""
