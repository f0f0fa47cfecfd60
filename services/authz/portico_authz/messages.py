"""The questions authz answers on the bus."""

from __future__ import annotations

from portico_contracts.authz import REDEEM_CODE, CodeRedeemed, RedeemCode
from portico_runtime.bus import Bus

from portico_authz.codes.redeem_code import redeem_code
from portico_authz.desk import Desk


def answer_questions(bus: Bus, desk: Desk) -> None:
    """Registers every answer."""

    async def redeem(asked: RedeemCode) -> CodeRedeemed:
        return await redeem_code(desk, asked)

    bus.answer(REDEEM_CODE, redeem)
