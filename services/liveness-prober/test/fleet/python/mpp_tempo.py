"""A seller by the machine payments protocol alone: FastAPI with pympp, paid on Tempo."""

import os

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from mpp import Credential, Receipt
from mpp.methods.tempo import server as tempo
from mpp.server import Mpp, pay

mpp = Mpp(methods=tempo.charge(recipient=os.environ["PAY_TO"]), secret_key="x" * 32, realm="tides.example")
app = FastAPI()


@app.get("/tides")
@pay(mpp.charge(amount="0.01"))
async def tides(request: Request, credential: Credential, receipt: Receipt):
    return JSONResponse({"high": "04:12"})
