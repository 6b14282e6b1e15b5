import { clientOf } from '@callboard/evm'
import { sendRaw } from '../chain/signing.ts'
import type { FacilitatorKit } from '../kit.ts'
import { findTransaction, noteSent } from '../store/lane.repository.ts'
import { movePayment } from '../store/payment.repository.ts'
import type { LaneTransaction, Payment } from '../store/tables.ts'
import type { Step } from './steps.ts'

/** Hands the stored transaction of a signed payment to a node. Doing it twice is doing it once. */
export const send: Step = async (kit, row) => {
  await sendStored(kit, await transactionOf(kit, row))
  return movePayment(kit.db, row, 'sent', { now: new Date(kit.clock.now()) })
}

/** Hands a stored transaction to a node, for the first time or again. */
export async function sendStored(kit: FacilitatorKit, { hash, network, raw }: LaneTransaction): Promise<void> {
  const refusal = await sendRaw(clientOf(kit.parts.clients, network), raw)
  if (refusal) kit.log.warn({ network, hash, refusal }, 'a node did not take a settlement')
  await noteSent(kit.db, hash, new Date(kit.clock.now()))
}

async function transactionOf(kit: FacilitatorKit, { key, tx_hash }: Payment): Promise<LaneTransaction> {
  if (!tx_hash) throw new Error(`payment ${key} is signed and has no transaction`)
  return findTransaction(kit.db, tx_hash)
}
