import type { EndpointPayment, HowToPay, HttpMethod } from '@callboard/contract'
import { usdOfUsdc } from '@callboard/values'

/** What a policy of `@callboard/client` allows per hour by default, in base units of USDC. */
const DEFAULT_HOUR = 1_000_000n

/** One call of an endpoint, and what it may cost. */
export interface PaidCall {
  readonly method: HttpMethod
  /** As WHATWG URL serializes it: ASCII. */
  readonly url: string
  /** JSON with only visible characters; undefined if nothing is known about it, or the method takes no body. */
  readonly body?: string | undefined
  readonly payment: Pick<EndpointPayment, 'network' | 'asset' | 'amount'>
}

/**
 * How to pay for a call, as text to copy. The limit in each is the listing's amount: a seller that asks more is not
 * paid. Everything from a third party is a literal of the language, and cannot become code.
 */
export const howToPay = (call: PaidCall): HowToPay => ({
  curl: curl(call),
  typescript: typescript(call),
  python: python(call),
  cli: cli(call),
  client: client(call),
})

/** `-g`: without it, curl reads brackets and braces of a URL as a list, and calls everything in it. */
const curl = ({ method, url, body }: PaidCall): string =>
  [
    `curl -i -g -X ${method} ${shell(url)}`,
    ...(body === undefined ? [] : [`-H 'content-type: application/json' --data-raw ${shell(body)}`]),
  ].join(' ')

const cli = ({ method, url, body, payment }: PaidCall): string =>
  [
    `npx callboard pay ${shell(url)} -X ${method}`,
    ...(body === undefined ? [] : [`-H 'content-type: application/json' -d ${shell(body)}`]),
    `--max ${usdOf(payment)} --asset ${shell(`${payment.network}/${payment.asset}`)}`,
  ].join(' ')

const typescript = ({
  method,
  url,
  body,
  payment,
}: PaidCall): string => `import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
  allowedAssets: [{ network: ${script(payment.network)}, asset: ${script(payment.asset)}, maxAmountPerPayment: ${script(payment.amount)} }],
})
const answer = await wrapFetchWithPayment(fetch, client)(${script(url)}, {
  method: ${script(method)},${withBody(body)}
})
console.log(answer.status, await answer.text())
`

const client = ({
  method,
  url,
  body,
  payment,
}: PaidCall): string => `import { Ledger, pay, SpendingPolicy } from '@callboard/client'
import { privateKeyToAccount } from 'viem/accounts'

const wallet = {
  account: privateKeyToAccount(process.env.PRIVATE_KEY),
  policy: SpendingPolicy.parse({ ${limitsOf(payment)} }),
  ledger: new Ledger('ledger.jsonl'),
  assets: [{ network: ${script(payment.network)}, asset: ${script(payment.asset)} }],
}
const { answer, payment } = await pay(wallet, ${script(url)}, {
  method: ${script(method)},${withBody(body)}
})
console.log(answer.status, payment?.state, await answer.text())
`

/** What the command and the library count for an amount: each token that they pay in as USDC. */
const usdOf = ({ amount }: PaidCall['payment']): string => usdOfUsdc(BigInt(amount))

/** A policy's limits that allow one call. Those of an hour and a day are named where their defaults would not. */
function limitsOf(payment: PaidCall['payment']): string {
  const limits = ['perCallUsd', ...(BigInt(payment.amount) > DEFAULT_HOUR ? ['perHourUsd', 'perDayUsd'] : [])]
  return limits.map((name) => `${name}: ${script(usdOf(payment))}`).join(', ')
}

/** The members of a request with a JSON body, in TypeScript. */
const withBody = (body: string | undefined): string =>
  body === undefined ? '' : `\n  headers: { 'content-type': 'application/json' },\n  body: ${script(body)},`

const python = ({ method, url, body, payment }: PaidCall): string => `import asyncio
import os

from eth_account import Account
from x402 import x402Client
from x402.http.clients import x402HttpxClient
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact import register_exact_evm_client


async def main():
    client = x402Client()
    limit = {"network": ${script(payment.network)}, "asset": ${script(payment.asset)}, "max_amount_per_payment": ${script(payment.amount)}}
    client.set_spend_controls({"allowed_assets": [limit]})
    register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["PRIVATE_KEY"])))
    async with x402HttpxClient(client) as http:
        answer = await http.request(${script(method)}, ${script(url)}${
          body === undefined ? '' : `, headers={"content-type": "application/json"}, content=${script(body)}`
        })
        print(answer.status_code, answer.text)


asyncio.run(main())
`

/** A text as one word of a POSIX shell. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A string literal of TypeScript and of Python, which both read JSON's escapes. */
const script = (text: string): string => JSON.stringify(text)
