"""The methods of ZITADEL's SDKs, for the paths ``/zitadel.…`` (decision 0105).

Their messages are generated from `libs/contracts/zitadel/names.json`, the names and numbers of the fields, written by
``node tests-e2e/api_libraries/numbers.mjs`` from @zitadel/proto (MIT license). Nothing imports them while
PORTICO_ZITADEL_NAMES is off.
"""
