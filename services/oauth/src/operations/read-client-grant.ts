import { fittingPart } from '@callboard/bus'
import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { grantsOf, programOf } from '../clients/client-grants.ts'
import type { OauthHandler } from '../context.ts'
import { programFamiliesOf } from '../store/client-grant.repository.ts'

export const readClientGrant: OauthHandler<typeof oauth.readClientGrant> = async ({ id }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const clientId = await programOf(ctx, owner, id)
  const families = clientId ? await programFamiliesOf(ctx.db, owner, new Date(ctx.clock.now()), clientId) : []
  const [grant] = grantsOf(ctx, families)
  if (!grant) return refuse('not_found')
  const { shown: authorizations, ...rest } = fittingPart(grant.authorizations)
  return { grant: { ...grant, authorizations }, ...rest }
}
