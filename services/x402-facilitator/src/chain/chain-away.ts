import { BaseError, ExecutionRevertedError, RpcRequestError } from 'viem'

/** A chain that cannot be asked, or that cannot take a transaction on our terms: "I do not know", never "no". */
export class ChainAway extends Error {
  override readonly name = 'ChainAway'
}

/** Runs reads of a chain. @throws ChainAway for everything that goes wrong on the way */
export async function asking<T>(network: string, reads: Promise<T>): Promise<T> {
  try {
    return await reads
  } catch (error) {
    throw new ChainAway(`${network} did not answer`, { cause: error })
  }
}

const REVERTED_CODE = 3
/** How nodes word it that the code which was called failed, and not they. */
const EXECUTION_FAILED =
  /revert|out of gas|opcode|EVM error|VM execution error|stack (under|over)flow|stack limit|invalid jump|write protection|return data out of bounds|call depth/i

/**
 * True when a node says that the called code failed: it reverted, ran out of gas, or is no code at all. A payer's
 * contract may do any of these, and that must not look like an outage.
 */
export const isFailedCall = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ExecutionRevertedError ||
      (cause instanceof RpcRequestError && (cause.code === REVERTED_CODE || EXECUTION_FAILED.test(cause.details))),
  ) !== null

/** The answer of a call, or undefined when the called code failed. Anything else is thrown. */
export async function unlessFailed<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isFailedCall(error)) return undefined
    throw error
  }
}
