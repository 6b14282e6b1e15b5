"""A seller of version 1 that was never updated: FastAPI behind the middleware of x402 0.2."""

import os

from fastapi import FastAPI
from x402.fastapi.middleware import require_payment
from x402.types import HTTPInputSchema

app = FastAPI()
app.middleware("http")(
    require_payment(
        path="/tides",
        price="$0.01",
        pay_to_address=os.environ["PAY_TO"],
        network="base",
        description="The tides of a port",
        mime_type="application/json",
        input_schema=HTTPInputSchema(query_params={"port": "string"}),
        output_schema={"type": "object", "properties": {"high": {"type": "string"}}},
    )
)


@app.get("/tides")
def tides(port: str = "Dover"):
    return {"port": port, "high": "04:12"}
