import type { Address, Caip2 } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { addPaidIn, lockKey } from '../store/key.repository.ts'
import { credit } from '../store/ledger.repository.ts'
import { markCredited, type Presented } from '../store/top-up.repository.ts'
import { topUpFailpoints } from './failpoints.ts'

/** A settled payment, and whose balance it buys. */
export interface Settled extends Presented {
  readonly owner: Address
  /** Nano-USD. */
  readonly amount: bigint
  /** The key that may spend it beside its owner's keys of a balance; null where none may. */
  readonly keyId: string | null
  /** Its hash on the chain. */
  readonly transaction: string
}

/** Credits a settled top-up, exactly once by its payment. @returns whether it was credited by this call */
export async function creditTopUp(
  { db, clock }: Pick<RouterContext, 'db' | 'clock'>,
  { paymentKey, fingerprint, owner, amount, keyId, transaction }: Settled,
): Promise<boolean> {
  topUpFailpoints.hit('settled')
  const now = new Date(clock.now())
  const [network, asset = ''] = paymentKey.split('/')
  return db.transaction().execute(async (tx) => {
    // As `hold` and `settle` take their rows: the key before the balance.
    if (keyId !== null) await lockKey(tx, keyId)
    const credited = await credit(tx, { paymentKey, owner, amount, network: network as Caip2, asset, now })
    if (credited && keyId !== null) await addPaidIn(tx, keyId, amount)
    await markCredited(tx, { paymentKey, fingerprint }, { transaction, now })
    topUpFailpoints.hit('credited')
    return credited
  })
}
