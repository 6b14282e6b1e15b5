import { clientOf } from '@callboard/evm'
import { sendRaw } from '../chain/signing.ts'
import type { FacilitatorKit, JointKit } from '../kit.ts'
import { findTransactions, noteSent } from '../store/lane.repository.ts'
import type { LaneTransaction, Payment } from '../store/tables.ts'
import { look } from './look-step.ts'
import { passing } from './moments.ts'
import type { Step } from './steps.ts'
import { moveTogether } from './verify-step.ts'

/**
 * Hands the stored transaction of a signed payment to a node, and looks at once: some chains have made a block by then.
 * Doing it twice is doing it once.
 */
export const send: Step = async (kit, row, memo) => {
  await kit.parts.joint.send(row)
  const seen = await look(kit, row, memo)
  if (seen) return seen
  const sent = await moveTogether(kit, { seen: row, events: ['sent'] })
  passing('broadcast', 1)
  return sent
}

/** Hands the stored transactions of signed payments to a node, each once, however many payments it carries. */
export async function sendAll(kit: JointKit, signed: readonly Payment[]): Promise<undefined[]> {
  const hashes = signed.map(({ key, tx_hash }) => {
    if (!tx_hash) throw new Error(`payment ${key} is signed and has no transaction`)
    return tx_hash
  })
  await sendStored(kit, await findTransactions(kit.db, [...new Set(hashes)]))
  for (const payments of Map.groupBy(hashes, (hash) => hash).values()) passing('sent', payments.length)
  return signed.map(() => undefined)
}

/** Hands stored transactions to a node, for the first time or again. */
export async function sendStored(
  kit: JointKit | FacilitatorKit,
  transactions: readonly LaneTransaction[],
): Promise<void> {
  const inOrder = transactions.toSorted((left, right) => left.chain_nonce - right.chain_nonce)
  await Promise.all(
    inOrder.map(async ({ hash, network, raw }) => {
      const refusal = await sendRaw(clientOf(kit.parts.clients, network), raw)
      if (refusal) kit.log.warn({ network, hash, refusal }, 'a node did not take a settlement')
    }),
  )
  const hashes = transactions.map(({ hash }) => hash)
  if (hashes.length > 0) await noteSent(kit.db, hashes, new Date(kit.clock.now()))
}
