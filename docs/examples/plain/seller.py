import base64
import json
import os
import pathlib
import sys
import urllib.error
import urllib.request
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, HTTPServer

devnet_file = os.environ.get("CALLBOARD_DEVNET") or pathlib.Path(__file__).parents[3] / ".callboard/devnet.json"
devnet = json.loads(pathlib.Path(devnet_file).read_text())
port = int(os.environ.get("PORT", "8601"))
pay_to = os.environ.get("PAY_TO") or sys.exit("PAY_TO is the address of your splitter: provider.py splitter")

# The one way to pay. It is what the facilitator is asked about, whatever a buyer says that it accepted.
TERMS = {
    "scheme": "exact",
    "network": devnet["network"],
    "asset": devnet["usdc"]["address"],
    "amount": "20000",
    "payTo": pay_to,
    "maxTimeoutSeconds": 60,
    "extra": {**{key: devnet["usdc"][key] for key in ("name", "version")}, "assetTransferMethod": "eip3009"},
}
# Payments that were sold for: each buys once. Where you run several processes, a table with a unique key.
taken = set()
# Those whose settlement was asked for and has no outcome yet: once it is settled, `verify` would call it used.
under_way = set()


def as_header(value):
    return base64.b64encode(json.dumps(value).encode()).decode()


class NotKnown(Exception):
    """The facilitator does not say yes or no."""


def ask(verb, payment):
    body = {"x402Version": 2, "paymentPayload": payment, "paymentRequirements": TERMS}
    request = urllib.request.Request(f"{devnet['facilitatorUrl']}/{verb}", json.dumps(body).encode())
    request.add_header("content-type", "application/json")
    try:
        return json.loads(read(request))
    except (OSError, HTTPException, ValueError) as error:
        raise NotKnown from error


def read(request):
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code >= 500 or error.code == 429:
            raise
        return error.read()


# One request at a time. A server of several threads takes a payment before it asks, under a lock, and gives it back where nothing was sold.
class Seller(BaseHTTPRequestHandler):
    timeout = 10

    def answer(self, status, body, headers=None):
        self.send_response(status)
        for name, value in {"content-type": "application/json", "cache-control": "no-store", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def offer(self, error):
        resource = {"url": f"http://127.0.0.1:{port}/tides", "description": "The tides of a port"}
        required = {"x402Version": 2, "error": error, "resource": resource, "accepts": [TERMS]}
        self.answer(402, required, {"PAYMENT-REQUIRED": as_header(required)})

    def do_GET(self):
        header = self.headers["PAYMENT-SIGNATURE"]
        if self.path.split("?")[0] != "/tides":
            return self.answer(404, {"error": "not_found"})
        if header is None:
            return self.offer("payment required")
        try:
            payment = json.loads(base64.b64decode(header))
            authorization = payment["payload"]["authorization"]
            key = f"{authorization['from']} {authorization['nonce']}".lower()
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "PAYMENT-SIGNATURE is no payment"})
        if key in taken:
            return self.offer("this payment was used")
        try:
            self.sell(payment, key)
        except NotKnown:
            self.answer(503, {"error": "the payment is not known yet: present the same one again"}, {"retry-after": "2"})

    def sell(self, payment, key):
        if key not in under_way:
            verdict = ask("verify", payment)
            if not verdict.get("isValid"):
                return self.offer(verdict.get("invalidReason") or verdict.get("message"))
        goods = {"port": "Dover", "high": ["04:12", "16:40"], "low": ["10:25", "22:51"]}
        under_way.add(key)
        settled = ask("settle", payment)
        if settled.get("errorReason") == "settlement_pending":
            raise NotKnown
        under_way.discard(key)
        if not settled.get("success"):
            return self.offer(settled.get("errorReason") or settled.get("message"))
        taken.add(key)
        self.answer(200, goods, {"PAYMENT-RESPONSE": as_header(settled)})


print(f"http://127.0.0.1:{port}/tides is sold", flush=True)
HTTPServer(("127.0.0.1", port), Seller).serve_forever()
