"""A seller of version 1 that was never updated: Flask behind the middleware of x402 0.2."""

import os

from flask import Flask
from x402.flask.middleware import PaymentMiddleware

app = Flask(__name__)
PaymentMiddleware(app).add(
    path="/tides",
    price="$0.01",
    pay_to_address=os.environ["PAY_TO"],
    network="base",
    description="The tides of a port",
)


@app.get("/tides")
def tides():
    return {"high": "04:12"}
