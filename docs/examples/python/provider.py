import datetime
import os
import pathlib
import sys

import httpx
from eth_account import Account
from eth_account.messages import encode_defunct
from web3 import Web3

from devnet import account_of, devnet

account = account_of(5)
key_file = pathlib.Path(os.environ.get("CALLBOARD_KEY_FILE", "callboard.key"))
api = httpx.Client(base_url=devnet["baseUrl"], timeout=60)


def ask(method, path, body=None, headers=None):
    bearer = {"authorization": f"Bearer {key_file.read_text()}"} if key_file.exists() else {}
    try:
        answer = api.request(method, path, json=body, headers={**bearer, **(headers or {})})
    except httpx.TransportError:
        sys.exit(f"{devnet['baseUrl']} does not answer. Is the instance running (npm start)?")
    if answer.is_error:
        sys.exit(f"{method} {path}: {answer.status_code} {answer.text}")
    return answer


# Signs only what names this instance: a signature for another site would let in there who asked for it.
def sign(message):
    domain = message.split(" ", 1)[0]
    if domain != httpx.URL(devnet["baseUrl"]).netloc.decode():
        sys.exit(f"{devnet['baseUrl']} asks for a signature for {domain}. Nothing was signed.")
    return Account.sign_message(encode_defunct(text=message), account.key).signature.to_0x_hex()


def send(to, data):
    w3 = Web3(Web3.HTTPProvider(devnet["rpcUrl"]))
    transaction = {"from": account.address, "to": to, "data": data, "chainId": devnet["chainId"]}
    transaction["nonce"] = w3.eth.get_transaction_count(account.address)
    transaction["gas"] = w3.eth.estimate_gas(transaction)
    transaction["maxFeePerGas"] = w3.to_wei(3, "gwei")
    transaction["maxPriorityFeePerGas"] = w3.to_wei(1, "gwei")
    sent = w3.eth.send_raw_transaction(account.sign_transaction(transaction).raw_transaction)
    receipt = w3.eth.wait_for_transaction_receipt(sent)
    return f"{sent.to_0x_hex()} {'success' if receipt['status'] == 1 else 'reverted'}"


def splitter():
    states = ask("GET", f"/api/call/listings/splitters?wallet={account.address}").json()["networkStates"]
    return next(state for state in states if state["network"] == devnet["network"])


def key():
    asked = ask("GET", "/api/auth/siwe-nonce?purpose=login").json()
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    message = "\n".join(
        [
            f"{asked['domain']} wants you to sign in with your Ethereum account:",
            account.address,
            "",
            asked["statement"],
            "",
            f"URI: {asked['uri']}",
            "Version: 1",
            f"Chain ID: {devnet['chainId']}",
            f"Nonce: {asked['nonce']}",
            f"Issued At: {now}",
        ]
    )
    ask("POST", "/api/auth/session", {"message": message, "signature": sign(message)})
    made = ask("POST", "/api/keys", {"label": "laptop"}, {"origin": devnet["baseUrl"]})
    key_file.touch(mode=0o600)
    key_file.write_text(made.json()["key"])
    return f"kept in {key_file}"


def publish(url):
    message = ask("GET", f"/api/call/listings/payout-nonce?wallet={account.address}").json()["message"]
    operation = {
        "method": "GET",
        "url": url,
        "name": "Tides",
        "description": "The tides of a port; give it as ?port=.",
        "metadataEvidence": "none",
    }
    listing = {
        "name": "Tide tables in Python",
        "description": "High and low water for a port, a week ahead.",
        "category": "data",
        "operations": [operation],
        "payoutWallet": account.address,
        "network": devnet["network"],
        "message": message,
        "signature": sign(message),
    }
    made = ask("POST", "/api/call/listings", listing).json()["listing"]
    return f"{made['slug']}: {made['status']}"


def deploy():
    state = splitter()
    return "stands already" if state["deployed"] else send(state["deploy"]["to"], state["deploy"]["data"])


def status(slug, action):
    return ask("POST", f"/api/call/listings/{slug}/status", {"action": action}).json()


verbs = {
    "key": key,
    "splitter": lambda: splitter()["splitterAddress"],
    "probe": lambda url: ask("POST", "/api/call/listings/probe", {"url": url, "method": "GET"}).json(),
    "publish": publish,
    "deploy": deploy,
    "activate": lambda slug: status(slug, "activate"),
    "verify": lambda slug: status(slug, "request_verification"),
    "distribute": lambda: send(splitter()["splitterAddress"], Web3.keccak(text="distribute()")[:4].to_0x_hex()),
}
verb, *arguments = sys.argv[1:] or [""]
if verb not in verbs:
    sys.exit(f"provider.py takes one of {', '.join(verbs)}")
print(verbs[verb](*arguments))
