import { router } from '@callboard/contract'
import { unlessOutage } from '@callboard/runtime'
import type { Refusal } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { changeLink, lockLink } from '../store/link.repository.ts'
import type { AgentsTx, LinkTable } from '../store/tables.ts'
import { isNotBegun, routerUnavailable } from '../unavailable.ts'

/** Why the Router did not say that it set an allowance. */
export interface NotSet {
  readonly refusal: Refusal<'temporarily_unavailable'>
  /** Whether it was surely not reached. */
  readonly isUntouched: boolean
}

/** Sets what a link may spend a day at the Router. @returns undefined when it is set */
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
 * Writes down that the Router has the allowance that its link has, unless it was asked for another one since.
 * @param link as it was read under its lock @param askedAt what was noted of it
 */
export async function noteSure(tx: AgentsTx, link: LinkTable, askedAt: Date): Promise<void> {
  if (link.allowance_asked_at?.getTime() !== askedAt.getTime()) return
  await changeLink(tx, link.id, { allowance_asked_at: null })
}

/** Sets at the Router what is written here: a process died between the two, or lost an answer. @throws while the Router cannot be asked */
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
