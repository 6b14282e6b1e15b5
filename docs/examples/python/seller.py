import os
import sys

import uvicorn
from fastapi import FastAPI
from x402 import AbortResult
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware
from x402.mechanisms.evm.exact import ExactEvmServerScheme
from x402.server import x402ResourceServer

from devnet import devnet

pay_to = os.environ.get("PAY_TO") or sys.exit("PAY_TO is the address of your splitter: provider.py splitter")
facilitator = HTTPFacilitatorClient(FacilitatorConfig(url=devnet["facilitatorUrl"]))
server = x402ResourceServer(facilitator)
server.register(devnet["network"], ExactEvmServerScheme())

# Payments that are being sold for, or were: each buys once. Where you run several processes, a table with a unique key.
taken = set()


def key_of(context):
    authorization = context.payment_payload.payload["authorization"]
    return f"{authorization['from']} {authorization['nonce']}".lower()


# The facilitator answers every request for a payment alike, so that a lost answer can be asked for again.
def take(context):
    if key_of(context) in taken:
        return AbortResult(reason="this payment was used")
    taken.add(key_of(context))


server.on_before_settle(take)
server.on_settle_failure(lambda context: taken.discard(key_of(context)))

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
