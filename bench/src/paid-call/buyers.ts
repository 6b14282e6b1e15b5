import type { Address } from '@callboard/values'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'

/** The cost of a series of calls. */
export interface Calls {
  readonly wallMs: number
  /** For each call, from the first byte of the first request to the last byte of the answer, in milliseconds. */
  readonly latenciesMs: readonly number[]
}

/** An agent's `fetch` that pays with the unchanged `@x402/fetch`. */
export const payingFetch = (payer: PrivateKeyAccount, network: `eip155:${number}`, asset: Address): typeof fetch =>
  wrapFetchWithPayment(
    fetch,
    new x402Client()
      .register('eip155:*', new ExactEvmScheme(payer))
      .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: '1000000' }] }),
  )

/** Makes paid calls for a while, one after the other by each agent. @throws Error when one is not served */
export async function buyFor(ms: number, agents: readonly (typeof fetch)[], url: string): Promise<Calls> {
  const latenciesMs: number[] = []
  const start = performance.now()
  await Promise.all(
    agents.map(async (paid) => {
      while (performance.now() - start < ms) {
        const from = performance.now()
        const answer = await paid(url)
        const body = await answer.text()
        if (!answer.ok) throw new Error(`a paid call was answered with ${answer.status}: ${body}`)
        latenciesMs.push(performance.now() - from)
      }
    }),
  )
  return { wallMs: performance.now() - start, latenciesMs }
}

/** The value below which the given share of the values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
