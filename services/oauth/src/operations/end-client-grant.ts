import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { endGrantsOf, programOf } from '../clients/client-grants.ts'
import type { OauthHandler } from '../context.ts'

export const endClientGrant: OauthHandler<typeof oauth.endClientGrant> = async ({ id }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const clientId = await programOf(ctx, owner, id)
  if (clientId === undefined) return refuse('not_found')
  await endGrantsOf(ctx, owner, [clientId])
  return {}
}
