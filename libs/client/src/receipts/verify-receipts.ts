import { baseUnits, decimalText } from '@callboard/values'
import { BrokenReceipt, type Receipt, ReceiptChain, type ReceiptKeys, UnknownKey } from './receipt-chain.ts'

/** More decimals than any amount of a receipt has. */
const DECIMALS = 18

/** The receipts of one key, from the first to the last that were read. */
export interface KeyChain {
  readonly key: string
  readonly first: Receipt
  readonly last: Receipt
}

/** The sums of receipts, up to the first broken one. */
export interface CheckedReceipts {
  readonly count: number
  /** Decimal USD. */
  readonly totalUsd: string
  /** The part that the Router estimated, because the upstream did not report it. */
  readonly estimatedUsd: string
  readonly chains: readonly KeyChain[]
  /** The first invalid line, counted from 1; later lines were not read. */
  readonly broken?: { readonly line: number; readonly reason: string }
}

/**
 * Checks receipts offline: their signatures, and that none is missing between the first and the last.
 * @param lines the JWS of each receipt; empty lines are skipped
 * @param isWhole whether they have to be all receipts of one key: none is missing before the first, either
 * @param newKeys reads the Router's keys again, once, for a receipt of a key that it has had only since they were read
 */
export async function verifyReceipts(
  lines: Iterable<string> | AsyncIterable<string>,
  keys: ReceiptKeys,
  { isWhole = false, newKeys }: { readonly isWhole?: boolean; readonly newKeys?: NewKeys | undefined } = {},
): Promise<CheckedReceipts> {
  const take = takerOf(new ReceiptChain(keys), newKeys)
  const chains = new Map<string, KeyChain>()
  const sum = { count: 0, total: 0n, estimated: 0n }
  let line = 0
  for await (const text of lines) {
    line += 1
    if (text.trim() === '') continue
    try {
      const receipt = await take(text.trim())
      if (isWhole) requireNext(receipt, chains)
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

type NewKeys = () => Promise<ReceiptKeys>

/** Takes receipts into a chain. The keys are read again at most once. */
function takerOf(chain: ReceiptChain, newKeys: NewKeys | undefined): (jws: string) => Promise<Receipt> {
  let ask = newKeys
  return async (jws) => {
    try {
      return chain.take(jws)
    } catch (error) {
      if (!(error instanceof UnknownKey) || !ask) throw error
      const asked = ask
      ask = undefined
      chain.learn(await asked())
      return chain.take(jws)
    }
  }
}

/** @throws BrokenReceipt for one of a second key, and for a first one that is not the key's first */
function requireNext({ key, seq }: KeyChain['first'], chains: ReadonlyMap<string, KeyChain>): void {
  if (chains.has(key)) return
  const [other] = chains.keys()
  if (other !== undefined) throw new BrokenReceipt(`is of the key ${key}, after receipts of ${other}`)
  if (seq !== 1) throw new BrokenReceipt(`is number ${seq}, and the ones before it are missing`)
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
