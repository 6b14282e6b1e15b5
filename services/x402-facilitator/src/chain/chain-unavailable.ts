import { isFailedCall, isForeignChain } from '@callboard/evm'

/** A chain that does not answer, or does not take a transaction on our terms: "I do not know", never "no". */
export class ChainUnavailable extends Error {
  override readonly name: string = 'ChainUnavailable'
  /** The text of the answer: it names whose fault it is, and never quotes a node. */
  readonly publicMessage: string

  constructor(
    message: string,
    { publicMessage = UNAVAILABLE, cause }: { readonly publicMessage?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.publicMessage = publicMessage
  }
}

const UNAVAILABLE = 'The chain is not available right now. Nothing was sent. Ask again.'

/** None of our signing accounts can pay for a transaction. */
export class NoGas extends ChainUnavailable {
  override readonly name = 'NoGas'

  constructor(network: string) {
    const publicMessage = `This facilitator’s signing account has no coins for gas on ${network}. Nothing was sent. Its operator must top it up.`
    super(`no signing account can pay for gas on ${network}`, { publicMessage })
  }
}

/** The token's issuer has stopped all transfers. This implies nothing about the payment. */
export class TokenPaused extends ChainUnavailable {
  override readonly name = 'TokenPaused'

  constructor(network: string) {
    const publicMessage = `The token’s issuer has paused all transfers on ${network}. Nothing was sent. Ask again later.`
    super(`the token of ${network} is paused`, { publicMessage })
  }
}

/** Runs reads of a chain. @throws ChainUnavailable for every error on the way */
export async function readingChain<T>(network: string, reads: Promise<T>): Promise<T> {
  try {
    return await reads
  } catch (error) {
    if (!isForeignChain(error)) throw new ChainUnavailable(`${network} did not answer`, { cause: error })
    const publicMessage = `No node of this facilitator answers for ${network} right now. Nothing was sent. Ask again.`
    throw new ChainUnavailable(`an endpoint of ${network} belongs to another chain`, { publicMessage, cause: error })
  }
}

/** Returns the result of a call, or undefined when the called code failed. Any other error is rethrown. */
export async function unlessFailed<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isFailedCall(error)) return undefined
    throw error
  }
}
