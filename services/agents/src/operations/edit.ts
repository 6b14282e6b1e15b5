import { agents, oauth, refuseStaleSignature } from '@callboard/contract'
import { isRefusal, type Refusal, refuse } from '@callboard/values'
import type { AgentsCallingContext, AgentsHandler, OwnerCaller } from '../context.ts'
import { noteSure, setAtRouter } from '../links/allowance.ts'
import { linkFailpoints } from '../links/failpoints.ts'
import { grantedADay } from '../store/allowance.repository.ts'
import { changeLink, liveLink, lockLink, noteAllowanceAsked } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { AgentsTx, LinkTable } from '../store/tables.ts'
import { summariesOf } from '../summaries.ts'

/**
 * The link stays locked while the Router sets the allowance, so that the last one set is the one stored. The owner's
 * row is locked as well, so that concurrent raises are judged by their sum. The request to the Router is recorded
 * before it is made, so that the job restores the stored allowance there if this process dies in between or gets no
 * answer.
 */
export const edit: AgentsHandler<typeof agents.edit> = async ({ clientId, routerAllowanceUsd }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { caller } = ctx
  const { owner } = caller
  const found = await liveLink(ctx.db, owner, clientId)
  if (!found) return refuse('not_found')
  for (;;) {
    const askedAt = new Date(ctx.clock.now())
    const wasSure = await noteAllowanceAsked(ctx.db, found.id, askedAt)
    const edited = await ctx.db.transaction().execute(async (tx) => {
      await lockOwner(tx, owner)
      const link = await lockLink(tx, found.id)
      if (link?.state !== 'live') return refuse('not_found')
      // A concurrent edit, recorded at the same moment, has finished.
      if (!link.allowance_asked_at) return undefined
      const { refusal, router } = await setUnlessRefused(tx, ctx, { link, caller, routerAllowanceUsd })
      if (router === 'as_written' || (router === 'untouched' && wasSure)) await noteSure(tx, link, askedAt)
      if (refusal) return refusal
      const allowance_usd = routerAllowanceUsd.toFixed(2)
      await changeLink(tx, link.id, { allowance_usd })
      return { ...link, allowance_usd }
    })
    if (!edited) continue
    if (isRefusal(edited)) return edited
    const [agent] = await summariesOf(ctx, owner, [edited])
    return agent ? { agent } : refuse('not_found')
  }
}

interface Edit {
  readonly link: LinkTable
  readonly caller: OwnerCaller
  readonly routerAllowanceUsd: number
}

/** The result of an edit: why it was refused, and what the Router has now. */
interface Outcome {
  readonly refusal?: Refusal<'unauthorized' | 'fresh_signature_required' | 'temporarily_unavailable'>
  readonly router: 'as_written' | 'untouched' | 'unknown'
}

async function setUnlessRefused(tx: AgentsTx, ctx: AgentsCallingContext, edit: Edit): Promise<Outcome> {
  const { link, caller, routerAllowanceUsd } = edit
  const others = Number(await grantedADay(tx, link.owner, link.client_id))
  const dailyUsd = { before: others + Number(link.allowance_usd), after: others + routerAllowanceUsd }
  const stale = refuseStaleSignature(agents.edit, caller, ctx.clock.now(), { dailyUsd })
  if (stale) return { refusal: stale, router: 'untouched' }
  if (!(await isActive(ctx, caller))) return { refusal: refuse('unauthorized'), router: 'untouched' }
  return link.may_have_key ? setWhileActive(ctx, edit) : { router: 'as_written' }
}

async function isActive(ctx: AgentsCallingContext, { owner, sessionId }: OwnerCaller): Promise<boolean> {
  const session = await ctx.call(oauth.sessionState, { owner, sessionId })
  return !isRefusal(session) && session.active
}

/**
 * Sets a link's daily limit at the Router. If the session is still active once it is set, any later logout follows the
 * edit; if it has ended in between, the previous limit is restored.
 */
async function setWhileActive(ctx: AgentsCallingContext, { link, caller, routerAllowanceUsd }: Edit): Promise<Outcome> {
  const notSet = await setAtRouter(ctx, link, routerAllowanceUsd)
  if (notSet) return { refusal: notSet.refusal, router: notSet.isUntouched ? 'untouched' : 'unknown' }
  linkFailpoints.hit('set')
  const setBack = () => setAtRouter(ctx, link, Number(link.allowance_usd))
  const isGiven = await isActive(ctx, caller).catch(async (error: unknown) => {
    await setBack()
    throw error
  })
  if (isGiven) return { router: 'as_written' }
  return { refusal: refuse('unauthorized'), router: (await setBack()) ? 'unknown' : 'as_written' }
}
