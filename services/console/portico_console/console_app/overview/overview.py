"""The figures of 30 days on the first page of an organization and of the instance."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from starlette.responses import Response

from portico_console.console_app.overview.attention import Item, items_of
from portico_console.console_app.overview.chart import Bar, bars_of
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.paging import grouped
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext, segment

_OF_ORG: Final = "portico.management.v1.StatisticsService/GetStatistics"
_OF_INSTANCE: Final = "portico.admin.v1.StatisticsService/GetStatistics"
_MOST_COUNTED: Final = 10_000
DELIVERY: Final = "portico.admin.v1.EmailService/GetEmailDelivery"
_KEYS: Final = "portico.admin.v1.SigningKeyService/ListSigningKeys"


@dataclass(frozen=True, slots=True)
class Overview:
    users: dict[str, Any] | None
    bars: list[Bar]
    refusals: list[dict[str, Any]]
    items: list[Item]
    base: str
    language: str

    @property
    def sign_ins(self) -> int:
        return sum(bar.sign_ins for bar in self.bars)

    @property
    def most(self) -> int:
        """Of one day: the height of the chart."""
        return max((bar.sign_ins + bar.failed for bar in self.bars), default=0)

    @property
    def created(self) -> str:
        """New users; the API stops counting at `_MOST_COUNTED`."""
        count = int((self.users or {}).get("created", 0))
        return self.written(count) + ("+" if count >= _MOST_COUNTED else "")

    def written(self, number: int | str) -> str:
        return grouped(int(number or 0), self.language)

    @property
    def failed(self) -> int:
        return sum(bar.failed for bar in self.bars)


async def load_overview(ctx: RequestContext, frame: Frame) -> Overview | None:
    """None without the permission."""
    org = ctx.path.get("org", "")
    method = _OF_ORG if org else _OF_INSTANCE
    if not frame.may_call(method):
        return None
    found = await ctx.api.call(method, {}, org=org)
    base = f"{ctx.party.path}/orgs/{segment(org)}" if org else f"{ctx.party.path}/instance"
    return _overview(found.get("statistics", {}), base, ctx.language.tag)


def _overview(found: dict[str, Any], base: str, language: str) -> Overview:
    return Overview(
        found.get("users"),
        bars_of(found.get("days", ())),
        found.get("refusals", []),
        items_of(found.get("attention", ()), base),
        base,
        language,
    )


async def show_instance(ctx: RequestContext, mail_problem: str = "", status: int = 200) -> Response:
    """`mail_problem` is why no test email was sent or accepted."""
    frame = await load_frame(ctx)
    overview, keys, delivery = await asyncio.gather(
        load_overview(ctx, frame), _load_keys(ctx, frame), load_delivery(ctx, frame)
    )
    today = overview.bars[-1].date if overview and overview.bars else ""
    return framed(
        ctx,
        "overview/instance.html",
        frame,
        "instance-overview",
        status=status,
        overview=overview,
        keys=[(key, _age(key, today)) for key in keys.get("result", [])],
        delivery=delivery,
        mail_problem=mail_problem,
        may_send=frame.may("iam.write"),
    )


async def load_delivery(ctx: RequestContext, frame: Frame) -> Fields:
    return await ctx.api.call(DELIVERY, {}) if frame.may_call(DELIVERY) else Fields()


async def _load_keys(ctx: RequestContext, frame: Frame) -> Fields:
    return await ctx.api.call(_KEYS, {}) if frame.may_call(_KEYS) else Fields()


def _age(key: dict[str, Any], today: str) -> int | None:
    """Days since the key began to sign; None before."""
    began = key.get("activationDate", "")[:10]
    days = (date.fromisoformat(today) - date.fromisoformat(began)).days if began and today else -1
    return days if days >= 0 else None
