import { settlementAttributed } from '@callboard/contract'
import { attribute, unattributed } from '../store/settlement.repository.ts'
import { asLeader } from './commit.ts'
import { asking, type Following } from './following.ts'

/** Settlements whose transactions are read at once. */
const AT_ONCE = 200

/**
 * Reads who submitted settlements that were observed from logs alone, newest first. History is observed without this:
 * it costs one more request per transaction, and no money depends on the answer.
 * @returns `more` if there may be more, `none` if there are none, or `later` if no provider answered
 */
export async function attributeSome(following: Following, signal: AbortSignal): Promise<'more' | 'none' | 'later'> {
  const { ctx, followed, term } = following
  const { network } = followed.chain
  const txHashes = await unattributed(ctx.db, network, AT_ONCE)
  const [provider] = followed.providers.awake()
  if (txHashes.length === 0) return 'none'
  if (!provider) return 'later'
  const read = await asking(following, provider, () => provider.submissions(txHashes, signal))
  if (!read) return 'later'
  await asLeader(ctx, term, async (tx) => {
    await attribute(tx, network, new Map(txHashes.map((txHash) => [txHash, read.get(txHash) ?? null])))
    const found = [...read].map(([txHash, submission]) => ({ network, txHash, ...submission }))
    await ctx.publishAll(tx, settlementAttributed, found)
  })
  return 'more'
}
