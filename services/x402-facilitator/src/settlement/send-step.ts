import { clientOf } from '@callboard/evm'
import { sendRaw } from '../chain/signing.ts'
import type { FacilitatorKit, JointKit } from '../kit.ts'
import { findTransactions, noteSentAgain } from '../store/lane.repository.ts'
import type { LaneTransaction, Payment } from '../store/tables.ts'
import { look } from './look-step.ts'
import { passing } from './moments.ts'
import type { Step } from './steps.ts'
import { moveTogether } from './verify-step.ts'

/**
 * Hands the stored transaction of a signed payment to a node. Doing it twice is doing it once. Some chains have made a
 * block by the next beat: there it is looked at once and at the beat, before the row says that it was sent, which is then
 * written together with the outcome.
 */
export const send: Step = async (kit, row, memo) => {
  await kit.parts.joint.send(row)
  const atOnce = await look(kit, row, memo)
  if (atOnce) return atOnce
  await kit.parts.ticks.next(row.network)
  const atTheBeat = await look(kit, row, memo)
  if (atTheBeat) return atTheBeat
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
  await handOver(kit, await findTransactions(kit.db, [...new Set(hashes)]))
  for (const payments of Map.groupBy(hashes, (hash) => hash).values()) passing('sent', payments.length)
  return signed.map(() => undefined)
}

/** Hands stored transactions to a node again, and notes when, so that they rest for a while. */
export async function sendAgain(kit: FacilitatorKit, transactions: readonly LaneTransaction[]): Promise<void> {
  await handOver(kit, transactions)
  const hashes = transactions.map(({ hash }) => hash)
  if (hashes.length > 0) await noteSentAgain(kit.db, hashes, new Date(kit.clock.now()))
}

async function handOver(kit: JointKit | FacilitatorKit, transactions: readonly LaneTransaction[]): Promise<void> {
  const inOrder = transactions.toSorted((left, right) => left.chain_nonce - right.chain_nonce)
  await Promise.all(
    inOrder.map(async ({ hash, network, raw }) => {
      const refusal = await sendRaw(clientOf(kit.parts.clients, network), raw)
      if (refusal) kit.log.warn({ network, hash, refusal }, 'a node did not take a settlement')
    }),
  )
}
