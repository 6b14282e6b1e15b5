import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { endGrantsOf } from '../clients/client-grants.ts'
import type { OauthHandler } from '../context.ts'
import { programsOf } from '../store/client-grant.repository.ts'

export const endClientGrants: OauthHandler<typeof oauth.endClientGrants> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  await endGrantsOf(ctx, owner, await programsOf(ctx.db, owner))
  return {}
}
