"""The messages of ZITADEL's SDKs, for the paths ``/zitadel.…`` (decision 0105).

`names.json` has the names and numbers of their fields, written by ``node tests-e2e/api_libraries/numbers.mjs`` from
@zitadel/proto (MIT license). Importing `methods` builds the message classes from it; nothing imports it while
PORTICO_ZITADEL_NAMES is off.
"""
