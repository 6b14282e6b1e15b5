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
  if (!asked || !way) return html`<p class="problem">You cannot buy balance right now. Try again in a moment.</p>`
  return html`
    <p>
      You can buy balance for ${TIERS} USD. You pay in USDC, with the x402 scheme <code>exact</code>, from any wallet that can pay x402.
      Whichever wallet pays, your account is credited, because the API key identifies it. <a href="/account">Make an API key</a>, and put
      it into <code>CALLBOARD_API_KEY</code>. The commands below buy 1 USD. To buy another amount, change the
      end of the address, and the limits of what pays.
    </p>
    <p>To see the offer without paying:</p>
    <pre>${curl(asked.url)}</pre>
    <details open>
      <summary>With the callboard command</summary>
      <p class="meta">The command pays from its own wallet, whose key you can set in <code>CALLBOARD_AGENT_KEY</code>. It pays only what the limits in <code>policy.json</code> allow: <code>perCallUsd</code>, which is "0.10" without that file, <code>perHourUsd</code> ("1") and <code>perDayUsd</code> ("5").</p>
      <pre>${cli(asked.url, way)}</pre>
    </details>
    <details>
      <summary>In TypeScript, with @x402/fetch, @x402/evm and viem</summary>
      <p class="meta">The program pays from the wallet whose key is in <code>PRIVATE_KEY</code>, and at most <code>maxAmountPerPayment</code>, in base units: ${way.amount} is 1 USD.</p>
      <pre>${typescript(asked.url, way)}</pre>
    </details>
    <p class="meta">
      ${
        asked.ways.length > 1 &&
        `You can pay on ${asked.ways.map(({ network }) => network).join(' or ')}. These examples pay on the first. `
      }A client whose key draws on your balance can also pay with its call. If the balance is too low, the call is answered 402 with the same offer.
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
