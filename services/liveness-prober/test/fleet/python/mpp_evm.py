"""A seller by both protocols: FastAPI with pympp, whose `evm` method offers x402 beside its own challenge."""

import os

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from mpp import Credential, Receipt
from mpp.methods.evm import BASE_USDC
from mpp.methods.evm import server as evm
from mpp.server import Mpp, pay

charge = evm.charge(
    currency=BASE_USDC,
    recipient=os.environ["PAY_TO"],
    facilitator=os.environ["FACILITATOR"],
)
mpp = Mpp(methods=charge, secret_key="x" * 32, realm="tides.example")
app = FastAPI()


@app.get("/tides")
@pay(mpp.charge(amount="0.01"))
async def tides(request: Request, credential: Credential, receipt: Receipt):
    return JSONResponse({"high": "04:12"})
