import { router } from '@callboard/contract'
import { html } from 'htm/preact'

export const TOP_UP_PATH = '/api/router/top-up'

/** A way to pay, from the offer of a top-up. */
interface Way {
  readonly network: string
  readonly asset: string
  /** Base units of the asset. */
  readonly amount: string
}

/** The price of the smallest top-up. */
export interface Asked {
  /** The URL where it is bought. */
  readonly url: string
  readonly ways: readonly Way[]
}

const TIERS = new Intl.ListFormat('en', { type: 'disjunction' }).format(router.TOP_UP_USD.map(String))

/** How to buy balance: with a wallet that pays USDC, which no page here does. */
export function TopUp({ asked }: { asked: Asked | undefined }) {
  const way = asked?.ways[0]
  if (!asked || !way) return html`<p class="problem">Balance cannot be bought now. Try again in a moment.</p>`
  return html`
    <p>
      Balance is bought for ${TIERS} USD with exact USDC, by any wallet that can pay x402. Your account is credited, whichever wallet
      pays: the API key says whose it is. <a href="/account">Make one</a>, and put it into <code>CALLBOARD_API_KEY</code>. What follows buys
      1 USD; another tier stands at the end of the address.
    </p>
    <p>To see what it asks, without paying:</p>
    <pre>${curl(asked.url)}</pre>
    <details open>
      <summary>With the command callboard</summary>
      <p class="meta">It pays from its own wallet, whose key may stand in <code>CALLBOARD_AGENT_KEY</code>, and only what <code>policy.json</code> allows: <code>perCallUsd</code> has to be 1 or more.</p>
      <pre>${cli(asked.url, way)}</pre>
    </details>
    <details>
      <summary>In TypeScript, with @x402/fetch, @x402/evm and viem</summary>
      <p class="meta">It pays from the wallet whose key stands in <code>PRIVATE_KEY</code>.</p>
      <pre>${typescript(asked.url, way)}</pre>
    </details>
    <p class="meta">
      ${
        asked.ways.length > 1 &&
        `It can be paid on ${asked.ways.map(({ network }) => network).join(' and ')}; these lines pay on the first. `
      }A key that draws on your balance may also pay with its call: a call without enough balance is answered 402 with the same offer.
    </p>
  `
}

const BEARER = '"authorization: Bearer $CALLBOARD_API_KEY"'

const curl = (url: string): string => `curl -i -X POST ${url} -H ${BEARER}`

const cli = (url: string, { network, asset }: Way): string =>
  `npx callboard pay ${url} -X POST -H ${BEARER} --asset ${network}/${asset}`

const typescript = (url: string, { network, asset, amount }: Way): string =>
  `import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
  allowedAssets: [{ network: ${JSON.stringify(network)}, asset: ${JSON.stringify(asset)}, maxAmountPerPayment: ${JSON.stringify(amount)} }],
})
const answer = await wrapFetchWithPayment(fetch, client)(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.CALLBOARD_API_KEY}\` },
})
console.log(answer.status, await answer.text())`
