import { BaseError, ExecutionRevertedError, RpcError, RpcRequestError, UnknownRpcError } from 'viem'
import { ForeignChain } from './chain-proof.ts'

/** Whether an error is the node's own answer, not a failure on the way: viem's errors for answers carry its code. */
export const isAnswer = (error: unknown): error is RpcRequestError | RpcError =>
  error instanceof RpcRequestError || (error instanceof RpcError && !(error instanceof UnknownRpcError))

/** Whether an error, or one of its causes, says that an endpoint of another chain was left out. */
export const isForeignChain = (error: unknown): boolean =>
  error instanceof ForeignChain ||
  (error instanceof BaseError && error.walk((cause) => cause instanceof ForeignChain) !== null)

/**
 * Whether a chain could not be asked, or its node gave no valid answer: everything that viem throws except for a call
 * whose own code failed.
 */
export const isChainOutage = (error: unknown): boolean =>
  isForeignChain(error) ||
  (error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) === null)

const REVERTED_CODE = 3
/** How nodes word the failure of the called code, as opposed to their own. */
const EXECUTION_FAILED =
  /revert|out of gas|gas uint64 overflow|opcode|EVM error|VM execution error|stack (under|over)flow|stack limit|invalid jump|write protection|return data out of bounds|call depth/i

/**
 * Whether a node says that the called code failed: it reverted, ran out of gas, or is not code at all. A third party's
 * contract may do any of these, and that must not look like an outage.
 */
export const isFailedCall = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ExecutionRevertedError ||
      (cause instanceof RpcRequestError && (cause.code === REVERTED_CODE || EXECUTION_FAILED.test(cause.details))),
  ) !== null
