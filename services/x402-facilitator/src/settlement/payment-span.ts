import { createHash } from 'node:crypto'
import type { Payment } from '../store/tables.ts'

/** Spans leave the house, and a payment's key names its payer and its nonce: they carry so many digits of its SHA-256. */
const DIGITS = 32

/** The name of a payment in spans, and beside its key in the log. */
export const paymentDigest = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, DIGITS)

/** What a span says of the payment that it is about. */
export const spanOf = ({ key, tx_hash: sent, settled_tx: settled }: Payment): Record<string, string> => {
  const hash = settled ?? sent
  return { 'callboard.payment': paymentDigest(key), ...(hash ? { 'callboard.tx_hash': hash } : {}) }
}
