import {
  identityChanged,
  identityReverted,
  splitterCreated,
  splitterReverted,
  supplyChanged,
  supplyReverted,
} from '@callboard/contract'
import type { IndexerContext } from '../context.ts'
import { type ChainFact, saidOf } from '../store/chain-fact.repository.ts'
import type { IndexerTx } from '../store/tables.ts'

/** What is published of facts in a block, each kind by its own event. */
export const factPublications = (ctx: Pick<IndexerContext, 'publication'>, facts: readonly ChainFact[]) => [
  ctx.publication(splitterCreated, saidOf(facts, 'splitter')),
  ctx.publication(supplyChanged, saidOf(facts, 'supply')),
  ctx.publication(identityChanged, saidOf(facts, 'identity')),
]

/** Publishes that the facts' blocks left the chain, or that their contract is no longer followed. */
export const publishReverted = (ctx: Pick<IndexerContext, 'publishAll'>, tx: IndexerTx, facts: readonly ChainFact[]) =>
  Promise.all([
    ctx.publishAll(tx, splitterReverted, saidOf(facts, 'splitter')),
    ctx.publishAll(tx, supplyReverted, saidOf(facts, 'supply')),
    ctx.publishAll(tx, identityReverted, saidOf(facts, 'identity')),
  ])
