import { fittingPart } from '@callboard/bus'
import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { grantsOf, summaryOf } from '../clients/client-grants.ts'
import type { OauthHandler } from '../context.ts'
import { programFamiliesOf } from '../store/client-grant.repository.ts'

export const listClientGrants: OauthHandler<typeof oauth.listClientGrants> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const families = await programFamiliesOf(ctx.db, ctx.caller.owner, new Date(ctx.clock.now()))
  const { shown: grants, ...rest } = fittingPart(grantsOf(ctx, families).map(summaryOf))
  return { grants, ...rest }
}
