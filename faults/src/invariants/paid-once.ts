import { usdcBalance } from '@callboard/conformance/chain'
import { FUNDS } from '../load/stage.ts'
import { movementsOn } from './chain-truth.ts'
import { type Invariant, summary } from './invariant.ts'

/** Each authorization moved its amount once, if and only if its payer was told so, and no payer lost more than that. */
export const paidOnce: Invariant = {
  name: 'no payment is settled twice, and every payment is reported as it happened',
  async broken({ devnet, load, stage }) {
    const movements = await movementsOn(devnet)
    const byNonce = Map.groupBy(movements, ({ nonce }) => nonce)
    const found: string[] = []
    for (const paid of load.journal.payments) {
      const moved = byNonce.get(paid.nonce) ?? []
      const [first] = moved
      const what = `authorization ${paid.nonce.slice(0, 10)}… is ${paid.outcome}`
      if (moved.length > 1) found.push(`${what} and moved ${moved.length} times`)
      if (paid.outcome === 'open') found.push(`${what}: no definite answer came`)
      if (paid.outcome === 'refused' && first) found.push(`${what} (${paid.reason}) and moved`)
      if (paid.outcome !== 'settled') continue
      if (!first) found.push(`${what} and did not move`)
      else if (first.value !== paid.amount || first.to !== paid.payTo) found.push(`${what} and moved otherwise`)
    }
    for (const { address } of stage.payers) {
      const spent = movements.filter(({ payer }) => payer === address).reduce((sum, { value }) => sum + value, 0n)
      const balance = await usdcBalance(devnet, address)
      if (balance + spent !== FUNDS) found.push(`${address} holds ${balance} after spending ${spent} of ${FUNDS}`)
    }
    return summary(found)
  },
}
