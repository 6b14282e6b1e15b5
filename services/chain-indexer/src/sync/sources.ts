import { burnObserved, stakeChanged, stakeReverted } from '@callboard/contract'
import type { Address } from '@callboard/values'
import { finalHeight } from '../domain/sync-status.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import { insertBurns } from '../store/burn.repository.ts'
import { findCursor } from '../store/chain.repository.ts'
import { deleteFactsOf, insertFacts } from '../store/chain-fact.repository.ts'
import {
  deleteSource,
  findMissing,
  insertSource,
  isMissingSome,
  knownSources,
  type MissingBlocks,
  moveSource,
} from '../store/log-source.repository.ts'
import { deleteStakesIn, insertStakes } from '../store/stake.repository.ts'
import { asLeader } from './commit.ts'
import { notIn, requireComplete, sampleHeights } from './completeness.ts'
import { factPublications, publishReverted } from './facts.ts'
import { asking, type Following, type ProviderRead } from './following.ts'
import { NOTHING, type Observed, observe } from './observe.ts'
import { logsOrSmallerRange } from './read-range.ts'

/** The contracts that one term follows in addition to the chain's token. */
export class Sources {
  readonly #following: Following
  #state: 'unsettled' | 'incomplete' | 'complete' = 'unsettled'

  constructor(following: Following) {
    this.#following = following
  }

  /**
   * Compares the configured contracts with those followed so far, once the chain is opened. Stakes in a contract that
   * is no longer configured are reverted, or stake that moves to its successor would count in both; burns stay, because
   * they are final. Earlier logs of a new contract are missing from here on, and so are those of the supply’s token if
   * the contract in which it is staked is another one: what its transfers locked depends on that.
   */
  async settle(): Promise<void> {
    const { ctx, followed, term } = this.#following
    const { network } = followed.chain
    if (this.#state !== 'unsettled' || !(await findCursor(ctx.db, network))) return
    const wanted = followed.sources.slice(1).map(({ emitter }) => emitter)
    const known = await knownSources(ctx.db, network)
    const gone = known.filter((emitter) => !wanted.includes(emitter))
    const added = wanted.filter((emitter) => !known.includes(emitter))
    if (gone.length + added.length > 0) {
      const { stake, supply } = followed.contracts
      await asLeader(ctx, term, async (tx) => {
        const forget = async (emitter: Address) => {
          await publishReverted(ctx, tx, await deleteFactsOf(tx, network, emitter))
          await deleteSource(tx, network, emitter)
        }
        let isStakedElsewhere = stake !== undefined && added.includes(stake)
        for (const emitter of gone) {
          const stakes = await deleteStakesIn(tx, network, emitter)
          await ctx.publishAll(tx, stakeReverted, stakes)
          await forget(emitter)
          isStakedElsewhere ||= stakes.length > 0
        }
        for (const emitter of added) await insertSource(tx, network, emitter)
        if (!supply || !isStakedElsewhere || added.includes(supply.token)) return
        await forget(supply.token)
        await insertSource(tx, network, supply.token)
      })
      ctx.log.info({ network, gone, added }, 'other contracts are followed')
    }
    this.#state = 'incomplete'
  }

  /**
   * Reads some blocks that were read before a contract was followed, but only final ones: above them the chain may
   * still change, and is read again where it does.
   * @param head the newest recorded block
   * @returns whether there may be more to read now
   */
  async readSome(head: number, signal: AbortSignal): Promise<boolean> {
    if (this.#state !== 'incomplete') return false
    const { ctx, followed, term } = this.#following
    const { network, finalityDepth } = followed.chain
    const missing = await findMissing(ctx.db, network, finalHeight(head, finalityDepth))
    if (!missing) {
      if (!(await isMissingSome(ctx.db, network))) this.#state = 'complete'
      return false
    }
    const [provider] = followed.providers.awake()
    if (!provider) return false
    const by = { followed, provider, signal, log: ctx.log }
    const read = await asking(this.#following, provider, () => readAgain(by, missing))
    if (!read) return false
    if (read === 'smaller range') return true
    await asLeader(ctx, term, async (tx, commitWith) => {
      const [staked, burned, said] = await Promise.all([
        insertStakes(tx, read.stakes),
        insertBurns(tx, read.burns),
        insertFacts(tx, read.facts),
      ])
      await moveSource(tx, network, missing.emitter, read.next)
      await commitWith([
        ctx.publication(stakeChanged, staked),
        ctx.publication(burnObserved, burned),
        ...factPublications(ctx, said),
      ])
    })
    return true
  }
}

/** The content of a range of the missing blocks. Its settlements are recorded already. */
async function readAgain(
  read: ProviderRead,
  { from, to }: MissingBlocks,
): Promise<(Pick<Observed, 'stakes' | 'burns' | 'facts'> & { readonly next: number }) | 'smaller range'> {
  const { provider, signal } = read
  const upTo = Math.min(to, from + provider.range.blocks - 1)
  const found = await logsOrSmallerRange(read, from, upTo)
  if (!found) return 'smaller range'
  const { logs, large } = found
  const headers = await provider.headers(logs.length > 0 ? [upTo] : sampleHeights(from, upTo), signal)
  const last = headers.at(-1)
  if (!last || !logs.every((log) => log.blockNumber !== last.number || log.blockHash === last.hash))
    throw new ProviderError('inconsistent', `the logs of block ${upTo} are of another block`)
  await requireComplete(read, notIn(headers, large), logs)
  const { stakes, burns, facts } = logs.length > 0 ? await observe(read, logs, headers) : NOTHING
  return { stakes, burns, facts, next: upTo + 1 }
}
