import { baseUnits, decimalText } from '@callboard/values'
import { BrokenReceipt, type Receipt, ReceiptChain, type ReceiptKeys } from './receipt-chain.ts'

/** Finer than any amount of a receipt. */
const DECIMALS = 18

/** The receipts of one key, from the first to the last that was read. */
export interface KeyChain {
  readonly key: string
  readonly first: Receipt
  readonly last: Receipt
}

/** What receipts come to, up to the first that is broken. */
export interface CheckedReceipts {
  readonly count: number
  /** Decimal USD. */
  readonly totalUsd: string
  /** The part of it that was counted by the Router, because the upstream did not say. */
  readonly estimatedUsd: string
  readonly chains: readonly KeyChain[]
  /** The first line that does not hold, counted from 1; what comes after it was not read. */
  readonly broken?: { readonly line: number; readonly reason: string }
}

/**
 * Checks receipts without asking anyone: their signatures, and that none is missing between the first and the last.
 * @param lines of each receipt its JWS; empty lines are passed over
 */
export async function verifyReceipts(
  lines: Iterable<string> | AsyncIterable<string>,
  keys: ReceiptKeys,
): Promise<CheckedReceipts> {
  const chain = new ReceiptChain(keys)
  const chains = new Map<string, KeyChain>()
  const sum = { count: 0, total: 0n, estimated: 0n }
  let line = 0
  for await (const text of lines) {
    line += 1
    if (text.trim() === '') continue
    try {
      const receipt = chain.take(text.trim())
      const amount = baseUnits(receipt.amountUsd, DECIMALS) ?? 0n
      sum.count += 1
      sum.total += amount
      if (receipt.estimated) sum.estimated += amount
      const { key } = receipt
      chains.set(key, { key, first: chains.get(key)?.first ?? receipt, last: receipt })
    } catch (error) {
      if (!(error instanceof BrokenReceipt)) throw error
      return { ...shown(sum, chains), broken: { line, reason: error.message } }
    }
  }
  return shown(sum, chains)
}

const shown = (
  { count, total, estimated }: { readonly count: number; readonly total: bigint; readonly estimated: bigint },
  chains: ReadonlyMap<string, KeyChain>,
): CheckedReceipts => ({
  count,
  totalUsd: decimalText(total, DECIMALS),
  estimatedUsd: decimalText(estimated, DECIMALS),
  chains: [...chains.values()],
})
