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
