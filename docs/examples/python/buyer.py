import asyncio
import sys

from x402 import x402Client
from x402.http.clients import x402HttpxClient
from x402.http.utils import decode_payment_response_header
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact import register_exact_evm_client

from devnet import account_of, devnet


async def main(url):
    client = x402Client()
    # The stock client pays only in tokens that it knows; the devnet's test USDC is named here, with a limit.
    trusted = {"network": devnet["network"], "asset": devnet["usdc"]["address"], "max_amount_per_payment": "100000"}
    client.set_spend_controls({"allowed_assets": [trusted]})
    register_exact_evm_client(client, EthAccountSigner(account_of(7)))
    async with x402HttpxClient(client) as http:
        answer = await http.get(url)
        print(answer.status_code, answer.text)
        evidence = answer.headers.get("payment-response")
        if evidence:
            print(decode_payment_response_header(evidence))


asyncio.run(main(sys.argv[1]))
