import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { endGrantsOf } from '../clients/client-grants.ts'
import type { OauthHandler } from '../context.ts'
import { signOutEverywhere } from '../sessions/sign-out.ts'
import { activeKeys } from '../store/api-key.repository.ts'
import { countAgents, programFamiliesOf, programsOf } from '../store/client-grant.repository.ts'

/** Programs first: once the sessions are gone, this caller could not ask again. */
export const endSessions: OauthHandler<typeof oauth.endSessions> = async ({ grants = false }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const families = await programFamiliesOf(ctx.db, owner, new Date(ctx.clock.now()))
  const programs = new Set(families.map(({ client_id }) => client_id)).size
  if (grants) await endGrantsOf(ctx, owner, await programsOf(ctx.db, owner))
  const [agents, keys] = await Promise.all([countAgents(ctx.db, owner), activeKeys(ctx.db, owner)])
  const sessions = await signOutEverywhere(ctx, owner)
  return {
    ended: { sessions, programs: grants ? programs : 0 },
    stays: { programs: grants ? 0 : programs, agents, apiKeys: keys.length },
  }
}
