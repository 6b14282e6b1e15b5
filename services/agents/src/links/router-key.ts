import { router, WITH_TOKENS } from '@callboard/contract'
import { isUnavailable } from '@callboard/runtime'
import { seal } from '@callboard/sealing'
import { isRefusal } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { changeLink, linkById, noteKeyAsked } from '../store/link.repository.ts'
import type { LinkTable } from '../store/tables.ts'
import { isNotBegun } from '../unavailable.ts'

export type Source = 'compute' | 'balance'

/**
 * Makes a Router key for a link, in the form of the routes and the token answer.
 * @throws BusFault when the Router is unavailable
 */
export async function mintKey(ctx: AgentsCallingContext, link: LinkTable, source: Source) {
  const { owner, id: linkId, label, allowance_usd } = link
  const minted = await ctx.call(router.mintKey, {
    ...{ owner, linkId, label, source },
    allowanceUsd: Number(allowance_usd),
  })
  if (isRefusal(minted)) return minted
  return { router_key: minted.key, router_base_url: minted.baseUrl }
}

/** A key for the poller of a new link, sealed to it; if the Router is unavailable, the link comes without one. */
export async function keyForPoller(ctx: AgentsCallingContext, link: LinkTable, sealingKey: string) {
  if (!link.scopes.includes('router.use')) return { sealed: null, routerUnavailable: false }
  if (!link.may_have_key) await noteKeyAsked(ctx.db, link.id)
  try {
    const key = await mintKey(ctx, link, 'compute')
    return { sealed: await seal(sealingKey, WITH_TOKENS, JSON.stringify(key)), routerUnavailable: false }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    ctx.log.warn({ err: error, linkId: link.id }, 'the Router is unavailable; the link comes without a key')
    if (isNotBegun(error)) await changeLink(ctx.db, link.id, { may_have_key: false })
    return { sealed: null, routerUnavailable: true }
  }
}

/** Ends the keys that a link may have. @throws BusFault if it may have one and the Router is unavailable */
export async function endKeys(ctx: AgentsCallingContext, linkId: string): Promise<void> {
  const link = await linkById(ctx.db, linkId)
  if (link?.may_have_key) await ctx.call(router.revokeKeys, { owner: link.owner, linkId })
}
