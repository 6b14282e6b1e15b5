import { setTimeout as wait } from 'node:timers/promises'
import { authorize, facilitatorRequest } from '@callboard/conformance/payment'
import type { Shift } from './shift.ts'

const AGAIN_MS = 250
/** Most resource servers do not wait for as long as a settlement may take; they retry. */
const IMPATIENT_MS = 15_000
/** A payment still open after this long is a finding, not a matter of patience. */
const PATIENCE_MS = 180_000

let turn = 0

/** Like `payAndWait`, with a client that stops waiting and retries. */
export const payAndRepeat = (shift: Shift): Promise<boolean> => payAndWait(shift, IMPATIENT_MS)

/**
 * Makes one payment as a resource server does: the same authorization is submitted again until the answer is definite.
 * Every answer that is not an outcome counts as unknown, never as unpaid.
 */
export async function payAndWait({ stage, requests, journal }: Shift, patienceMs?: number): Promise<boolean> {
  turn += 1
  const payer = stage.payers[turn % stage.payers.length]
  if (!payer) return false
  const signed = await authorize(payer, stage.asked)
  const { nonce, to: payTo, value } = signed.authorization
  const paid = { payer: payer.address, payTo, amount: BigInt(value), nonce, outcome: 'open' as const }
  const entry: (typeof journal.payments)[number] = paid
  journal.payments.push(entry)
  const body = facilitatorRequest(stage.asked, signed)
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    const answer = await requests.send('x402-facilitator.settle', 'POST', '/x402/settle', { body, patienceMs })
    if (answer.status === 200 && answer.body.success === true) {
      entry.outcome = 'settled'
      entry.transaction = String(answer.body.transaction)
      return true
    }
    const reason = String(answer.body.errorReason ?? '')
    if (answer.status === 200 && reason !== 'settlement_pending') {
      entry.outcome = 'refused'
      entry.reason = reason
      return false
    }
    await wait(AGAIN_MS)
  }
  return false
}
