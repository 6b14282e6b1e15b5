import os
import sys

import uvicorn
from fastapi import FastAPI
from x402 import SettleResponse, VerifyResponse
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware
from x402.mechanisms.evm.exact import ExactEvmServerScheme
from x402.server import x402ResourceServer

from devnet import devnet

pay_to = os.environ.get("PAY_TO") or sys.exit("PAY_TO is the address of your splitter: provider.py splitter")

# Payments that are being sold for, or were: each buys once. Where you run several processes, a table with a unique key.
taken = set()
# Those whose settlement was asked for and has no outcome yet: once it is settled, `verify` would call it used.
under_way = set()


def key_of(payment):
    authorization = payment.payload.get("authorization", {})
    return f"{authorization.get('from')} {authorization.get('nonce')}".lower()


# The facilitator answers every request for a payment alike, so that a lost answer can be asked for again. The library
# has hooks for this, but calls none where the facilitator's answer is lost.
class Facilitator(HTTPFacilitatorClient):
    async def verify(self, payment, requirements):
        if key_of(payment) in under_way:
            return VerifyResponse(is_valid=True)
        return await super().verify(payment, requirements)

    async def settle(self, payment, requirements):
        key = key_of(payment)
        if key in taken:
            reason = "this payment was used"
            return SettleResponse(success=False, error_reason=reason, transaction="", network=requirements.network)
        taken.add(key)
        under_way.add(key)
        is_sold = False
        try:
            settled = await super().settle(payment, requirements)
            is_sold = settled.success
        finally:
            if not is_sold:
                taken.discard(key)
        if settled.error_reason != "settlement_pending":
            under_way.discard(key)
        return settled


server = x402ResourceServer(Facilitator(FacilitatorConfig(url=devnet["facilitatorUrl"])))
server.register(devnet["network"], ExactEvmServerScheme())

price = {
    "amount": "20000",  # base units of USDC: 0.02
    "asset": devnet["usdc"]["address"],
    "extra": {"name": devnet["usdc"]["name"], "version": devnet["usdc"]["version"]},
}
accepts = {"scheme": "exact", "network": devnet["network"], "payTo": pay_to, "price": price}
routes = {"GET /tides": {"accepts": accepts, "description": "The tides of a port"}}

app = FastAPI()
app.middleware("http")(payment_middleware(routes, server))


@app.get("/tides")
def tides(port: str = "Dover"):
    return {"port": port, "high": ["04:12", "16:40"], "low": ["10:25", "22:51"]}


uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "8601")))
