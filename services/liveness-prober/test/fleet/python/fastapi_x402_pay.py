"""A seller by fastapi-x402, a middleware of version 1 by other makers."""

import os

from fastapi import FastAPI
from fastapi_x402 import init_x402, pay

app = FastAPI()
init_x402(app, pay_to=os.environ["PAY_TO"], network="base", facilitator_url=os.environ["FACILITATOR"])


@pay("$0.01")
@app.get("/tides")
def tides():
    return {"high": "04:12"}
