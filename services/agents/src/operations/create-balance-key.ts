import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { newKeyOfCaller } from '../links/new-key.ts'

/**
 * A balance key has no daily limit, so with one the limit of a trusted device would not hold: only agents approved by
 * their owner get one.
 */
export const createBalanceKey: AgentsHandler<typeof agents.createBalanceKey> = async (_input, ctx) => {
  const link = await linkOfCaller(ctx)
  if (link?.approved_by === 'trusted_device') return refuse('owner_approval_required')
  return newKeyOfCaller(ctx, ctx.caller, 'balance')
}
