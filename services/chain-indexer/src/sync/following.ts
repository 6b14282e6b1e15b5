import type { Term } from '@callboard/store'
import type { IndexerContext } from '../context.ts'
import type { BlockRef } from '../domain/chain-data.ts'
import type { FollowedChain } from '../followed-chain.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'

/** One term of leading one chain. */
export interface Following {
  readonly ctx: IndexerContext
  readonly followed: FollowedChain
  readonly term: Term
}

/** A read of a chain from one provider. */
export interface ProviderRead {
  readonly followed: FollowedChain
  readonly provider: Provider
  readonly signal: AbortSignal
  readonly log: IndexerContext['log']
}

/**
 * `moved`: something was recorded, or is to be retried at once; `behind`: there is more; `cursor`: its position, if
 * known: only the leader moves it, and a write from another position is refused. `unattributed`: settlements were
 * recorded without their submitters.
 */
export interface StepResult {
  readonly moved: boolean
  readonly behind: boolean
  readonly cursor?: BlockRef
  /** The newest block of the endpoint in use. */
  readonly head?: number
  readonly unattributed?: boolean
}

/**
 * Asks one provider for something. Its faults are counted and logged, and it rests for a while; our own faults are
 * rethrown.
 * @returns undefined when the provider failed
 */
export async function asking<Answer>(
  { ctx, followed }: Following,
  provider: Provider,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { network } = followed.chain
    followed.providers.failed(provider, error)
    ctx.resources.metrics.providerErrors.inc({ network, fault: error.fault })
    const { fault, message } = error
    ctx.log.warn({ network, provider: provider.label, fault, reason: message }, 'an RPC endpoint failed')
    return undefined
  }
}
