import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { newKeyOfCaller } from '../links/new-key.ts'

/**
 * A key on the balance spends without a daily limit, so the sum that a trusted device may give away would not hold: only an
 * agent that its owner approved gets one.
 */
export const createBalanceKey: AgentsHandler<typeof agents.createBalanceKey> = async (_input, ctx) => {
  const link = await linkOfCaller(ctx)
  if (link?.approved_by === 'trusted_device') return refuse('owner_approval_required')
  return newKeyOfCaller(ctx, ctx.caller, 'balance')
}
