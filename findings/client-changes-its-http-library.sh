#!/usr/bin/env bash
# Expected: an application that gives Authlib's HTTPX client a transport of HTTPX goes on working when another package
#   of its environment brings a further HTTP library.
# Instead: Authlib's module httpx_client imports HTTPX2 wherever it is installed, so that its client is one of HTTPX2, and
#   the transport of HTTPX refuses the first request with an AssertionError without a text. scim2-client, for example,
#   depends on HTTPX2. The application has to use HTTPX2 itself.
# Versions: Authlib 1.9.9, HTTPX 0.28.1, HTTPX2 2.16.2, Python 3.11. Seen on 2026-11-30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q --disable-pip-version-check authlib==1.9.9 cryptography httpx==0.28.1
cat >fetch.py <<'PYTHON'
import asyncio
import httpx
from authlib.integrations.httpx_client import AsyncOAuth2Client


async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


async def main():
    async with AsyncOAuth2Client("client", transport=httpx.ASGITransport(app)) as client:
        library = next(one.__module__ for one in type(client).__mro__ if one.__module__.startswith("httpx"))
        try:
            answer = await client.request("GET", "http://example.com/", withhold_token=True)
            print(library.partition(".")[0], answer.text)
        except AssertionError as error:
            print(library.partition(".")[0], f"AssertionError({str(error)!r})")


asyncio.run(main())
PYTHON
env/bin/python -W ignore fetch.py 2>/dev/null | tee seen
env/bin/pip install -q --disable-pip-version-check httpx2==2.16.2
env/bin/python -W ignore fetch.py 2>/dev/null | tee -a seen
diff seen - <<'SEEN'
httpx ok
httpx2 AssertionError('')
SEEN
