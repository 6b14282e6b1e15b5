"""A seller of forecasts: FastAPI behind the middleware of x402, which takes a JSON body and says so."""

import json
import os

from fastapi import FastAPI
from pydantic import BaseModel
from x402.extensions.bazaar import OutputConfig, declare_discovery_extension
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware
from x402.mechanisms.evm.exact import ExactEvmServerScheme
from x402.server import x402ResourceServer


class Asked(BaseModel):
    city: str


server = x402ResourceServer(HTTPFacilitatorClient(FacilitatorConfig(url=os.environ["FACILITATOR"])))
server.register(os.environ["NETWORK"], ExactEvmServerScheme())
price = json.loads(os.environ.get("PRICE", '"$0.01"'))
accepts = {"scheme": "exact", "network": os.environ["NETWORK"], "payTo": os.environ["PAY_TO"], "price": price}
bazaar = declare_discovery_extension(
    input={"city": "Bern"},
    input_schema={"properties": {"city": {"type": "string"}}, "required": ["city"]},
    body_type="json",
    output=OutputConfig(example={"degrees": 7}),
)
routes = {"POST /forecast": {"accepts": accepts, "description": "A forecast", "extensions": bazaar}}

app = FastAPI()
app.middleware("http")(payment_middleware(routes, server))


@app.post("/forecast")
def forecast(asked: Asked):
    return {"city": asked.city, "degrees": 7}
