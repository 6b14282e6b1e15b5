/** What a transaction offers for gas, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What the chain charges at the moment, in wei per gas. */
export interface FeeMarket {
  readonly baseFeePerGas: bigint
  readonly priorityFeePerGas: bigint
  /** The lowest `maxFeePerGas` that the chain accepts. */
  readonly minMaxFeePerGas: bigint
}

/** What a rollup charges for publishing a transaction on its base chain, in wei: by its bytes, on top of its gas. */
export interface DataFee {
  /** For a plain transfer, and for a batch before its first leg. */
  readonly plain: bigint
  readonly perLeg: bigint
}

/** For chains that charge for gas alone. */
export const NO_DATA_FEE: DataFee = { plain: 0n, perLeg: 0n }

/**
 * The most gas of one transaction that an amount pays for, including the fee for its bytes; a batch is assumed to be as
 * full as its gas allows.
 * @param wei what may be spent on it
 * @param legGas gas of one leg within a batch
 */
export function payableGas(
  wei: bigint,
  { maxFeePerGas, dataFee }: Pick<Fees, 'maxFeePerGas'> & { readonly dataFee: DataFee },
  legGas: bigint,
): bigint {
  const bytesPerGas = (dataFee.perLeg + legGas - 1n) / legGas
  return most(0n, (wei - dataFee.plain) / (maxFeePerGas + bytesPerGas || 1n))
}

const least = (left: bigint, right: bigint) => (left < right ? left : right)
const most = (left: bigint, right: bigint) => (left > right ? left : right)

/**
 * The fees of a new transaction: twice the base fee, so that six full blocks in a row do not price it out.
 * @returns undefined when the chain charges more than the cap
 */
export function firstFees(
  { baseFeePerGas, priorityFeePerGas, minMaxFeePerGas }: FeeMarket,
  cap: bigint,
): Fees | undefined {
  if (most(baseFeePerGas, minMaxFeePerGas) > cap) return undefined
  const maxFeePerGas = least(cap, most(minMaxFeePerGas, 2n * baseFeePerGas + priorityFeePerGas))
  return { maxFeePerGas, maxPriorityFeePerGas: least(priorityFeePerGas, maxFeePerGas) }
}

/** Nodes accept a replacement that offers at least an eighth more in both parts. */
const raised = (fee: bigint) => fee + fee / 8n + 1n

/**
 * The fees of a replacement for a stuck transaction.
 * @returns undefined when the cap does not allow one
 */
export function replacementFees(stuck: Fees, fresh: Fees, cap: bigint): Fees | undefined {
  const maxFeePerGas = most(raised(stuck.maxFeePerGas), fresh.maxFeePerGas)
  const maxPriorityFeePerGas = most(raised(stuck.maxPriorityFeePerGas), fresh.maxPriorityFeePerGas)
  if (maxFeePerGas > cap || maxPriorityFeePerGas > maxFeePerGas) return undefined
  return { maxFeePerGas, maxPriorityFeePerGas }
}
