"""A seller of tides: Flask behind the middleware of x402, with a query that it describes."""

import json
import os

from flask import Flask
from x402.extensions.bazaar import OutputConfig, declare_discovery_extension
from x402.http import FacilitatorConfig, HTTPFacilitatorClientSync
from x402.http.middleware.flask import payment_middleware
from x402.mechanisms.evm.exact import ExactEvmServerScheme
from x402.server import x402ResourceServerSync

server = x402ResourceServerSync(HTTPFacilitatorClientSync(FacilitatorConfig(url=os.environ["FACILITATOR"])))
server.register(os.environ["NETWORK"], ExactEvmServerScheme())
price = json.loads(os.environ.get("PRICE", '"$0.01"'))
accepts = {"scheme": "exact", "network": os.environ["NETWORK"], "payTo": os.environ["PAY_TO"], "price": price}
bazaar = declare_discovery_extension(
    input={"port": "Dover"},
    input_schema={"properties": {"port": {"type": "string"}}},
    output=OutputConfig(example={"high": "04:12"}),
)
routes = {"GET /tides": {"accepts": accepts, "description": "The tides of a port", "extensions": bazaar}}

app = Flask(__name__)
payment_middleware(app, routes, server)


@app.get("/tides")
def tides():
    return {"high": "04:12"}
