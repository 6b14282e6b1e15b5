import type { Address, Caip2 } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { addPaidIn, lockKey } from '../store/key.repository.ts'
import { credit } from '../store/ledger.repository.ts'
import { markCredited, type Presented } from '../store/top-up.repository.ts'
import { topUpFailpoints } from './failpoints.ts'

/** A settled payment, and the owner whose balance it buys. */
export interface Settled extends Presented {
  readonly owner: Address
  /** Nano-USD. */
  readonly amount: bigint
  /** The key that may spend it in addition to its owner's balance keys; null if none. */
  readonly keyId: string | null
  /** Its transaction hash. */
  readonly transaction: string
}

/** Credits a settled top-up, exactly once per payment. @returns whether this call credited it */
export async function creditTopUp(
  { db, clock }: Pick<RouterContext, 'db' | 'clock'>,
  { paymentKey, fingerprint, owner, amount, keyId, transaction }: Settled,
): Promise<boolean> {
  topUpFailpoints.hit('settled')
  const now = new Date(clock.now())
  const [network, asset = ''] = paymentKey.split('/')
  return db.transaction().execute(async (tx) => {
    // The same order in which `hold` and `settle` lock their rows: the key before the balance.
    if (keyId !== null) await lockKey(tx, keyId)
    const credited = await credit(tx, { paymentKey, owner, amount, network: network as Caip2, asset, now })
    if (credited && keyId !== null) await addPaidIn(tx, keyId, amount)
    await markCredited(tx, { paymentKey, fingerprint }, { transaction, now })
    topUpFailpoints.hit('credited')
    return credited
  })
}
