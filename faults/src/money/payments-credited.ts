import { movementsOn } from '../invariants/chain-truth.ts'
import { summary } from '../invariants/invariant.ts'
import { type Payments, TIER_NANO } from './payments.ts'
import { type MoneyWorld, rowsOf } from './world.ts'

interface Credit {
  readonly reference: string
  readonly account: string
  readonly amount: string
}

/** Each payment of the walk either moved once on the chain and was credited once, to its owner, or neither happened. */
export async function creditedOnce(world: MoneyWorld, { handedIn }: Payments): Promise<string[]> {
  const moved = Map.groupBy(await movementsOn(world.devnet), ({ nonce }) => nonce.toLowerCase())
  const credits = await rowsOf<Credit>(
    world,
    `select reference, account_id as account, amount_nano::text as amount
     from router.ledger_transfer join router.ledger_entry on transfer_id = id
     where kind = 'top_up' and account_id like 'owner:%'`,
  )
  const credited = Map.groupBy(credits, ({ reference }) => reference.split('/').at(-1)?.toLowerCase() ?? '')
  const found: string[] = []
  for (const { nonce, owner, outcome, times } of handedIn) {
    const [onChain, inBooks] = [moved.get(nonce.toLowerCase()) ?? [], credited.get(nonce.toLowerCase()) ?? []]
    const what = `payment ${nonce.slice(0, 10)}…, presented ${times} times, is ${outcome} and`
    if (outcome === 'open') found.push(`${what} has no definite answer`)
    if (onChain.length !== inBooks.length)
      found.push(`${what} moved ${onChain.length} times, credited ${inBooks.length}`)
    if (onChain.length > 1) found.push(`${what} moved ${onChain.length} times`)
    if (outcome === 'settled' && inBooks.length !== 1) found.push(`${what} was credited ${inBooks.length} times`)
    if (outcome === 'refused' && inBooks.length > 0) found.push(`${what} was credited`)
    for (const { account, amount } of inBooks) {
      const isRight = account.toLowerCase() === `owner:${owner}`.toLowerCase() && BigInt(amount) === TIER_NANO
      if (!isRight) found.push(`${what} credited ${amount} to ${account}`)
    }
  }
  return summary(found)
}
