import { router } from '@callboard/contract'
import { unlessOutage } from '@callboard/runtime'
import type { Refusal } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { changeLink, lockLink } from '../store/link.repository.ts'
import type { AgentsTx, LinkTable } from '../store/tables.ts'
import { isNotBegun, routerUnavailable } from '../unavailable.ts'

/** Why the Router did not confirm an allowance. */
export interface NotSet {
  readonly refusal: Refusal<'temporarily_unavailable'>
  /** Whether it was certainly not reached. */
  readonly isUntouched: boolean
}

/** Sets a link's daily limit at the Router. @returns undefined when it is set */
export function setAtRouter(
  ctx: AgentsCallingContext,
  { owner, id: linkId }: LinkTable,
  allowanceUsd: number,
): Promise<NotSet | undefined> {
  const set = async (): Promise<undefined> => {
    await ctx.call(router.setAllowance, { owner, linkId, allowanceUsd })
  }
  return unlessOutage(set, {
    answer: (error): NotSet => ({ refusal: routerUnavailable(ctx, error), isUntouched: isNotBegun(error) }),
  })
}

/**
 * Records that the Router has its link's allowance, unless it was asked for another one since.
 * @param link as read under its lock @param askedAt the recorded time of the request
 */
export async function noteSure(tx: AgentsTx, link: LinkTable, askedAt: Date): Promise<void> {
  if (link.allowance_asked_at?.getTime() !== askedAt.getTime()) return
  await changeLink(tx, link.id, { allowance_asked_at: null })
}

/** Sets the stored allowance at the Router after a crash or a lost answer. @throws while the Router cannot be asked */
export async function settleAllowance(ctx: AgentsCallingContext, taken: LinkTable): Promise<void> {
  const { id, owner, allowance_asked_at: askedAt } = taken
  if (!askedAt) return
  await ctx.db.transaction().execute(async (tx) => {
    const link = await lockLink(tx, id)
    if (link?.state !== 'live') return
    const allowanceUsd = Number(link.allowance_usd)
    if (link.may_have_key) await ctx.call(router.setAllowance, { owner, linkId: id, allowanceUsd })
    await noteSure(tx, link, askedAt)
  })
}
