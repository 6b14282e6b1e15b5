import os
import sys

import uvicorn
from fastapi import FastAPI
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware
from x402.mechanisms.evm.exact import ExactEvmServerScheme
from x402.server import x402ResourceServer

from devnet import devnet

pay_to = os.environ.get("PAY_TO") or sys.exit("PAY_TO is the address of your splitter: provider.py splitter")
facilitator = HTTPFacilitatorClient(FacilitatorConfig(url=devnet["facilitatorUrl"]))
server = x402ResourceServer(facilitator)
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
