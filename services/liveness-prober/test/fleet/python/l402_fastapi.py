"""A seller over Lightning: FastAPI with l402kit, whose provider makes invoices without a node."""

from fastapi import FastAPI, Request
from l402kit import l402_required
from l402kit.dev import DevProvider

app = FastAPI()


@app.get("/tides")
@l402_required(price_sats=10, lightning=DevProvider())
async def tides(request: Request):
    return {"high": "04:12"}
