from __future__ import annotations

import argparse
from collections.abc import AsyncIterator

from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.form_examination import examine_form

from portico_keys.app import FORM
from portico_keys.settings import Settings


async def examine_more(settings: Settings, _options: argparse.Namespace) -> AsyncIterator[Finding]:
    yield await examine_form(settings, "keys", FORM)
