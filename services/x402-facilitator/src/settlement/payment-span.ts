import { createHash } from 'node:crypto'
import type { Payment } from '../store/tables.ts'

/** Spans leave our systems, and a payment's key names payer and nonce: spans carry so many digits of its SHA-256. */
const DIGITS = 32

/** The name of a payment in spans, and next to its key in the log. */
export const paymentDigest = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, DIGITS)

/** The attributes of a payment's span. */
export const spanOf = ({ key, tx_hash: sent, settled_tx: settled }: Payment): Record<string, string> => {
  const hash = settled ?? sent
  return { 'callboard.payment': paymentDigest(key), ...(hash ? { 'callboard.tx_hash': hash } : {}) }
}
