import { isWithin, type oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { grantFailpoints } from '../failpoints.ts'
import { openAccount } from '../store/account.repository.ts'
import { changeGrant, lockGrant } from '../store/device-grant.repository.ts'
import { endFamilies, insertFamily } from '../store/family.repository.ts'
import { holdSession } from '../store/session.repository.ts'
import { wholeService } from '../tokens/resources.ts'
import { showEnded } from '../tokens/revocation.ts'

export const approveGrant: OauthHandler<typeof oauth.approveGrant> = async (input, ctx) => {
  const { grantId, linkId, owner, scopes, sessionId, replaces, sealed, routerUnavailable } = input
  const now = new Date(ctx.clock.now())
  const audience = wholeService(ctx.config)
  const refused = await ctx.db.transaction().execute(async (tx) => {
    const grant = await lockGrant(tx, grantId)
    if (!grant) return refuse('not_found')
    if (grant.family_id === linkId) return undefined
    if (grant.state !== 'pending' || grant.expires_at <= now) return refuse('already_decided')
    if (!isWithin(scopes, grant.scopes)) return refuse('invalid_scope')
    if (sessionId !== undefined && !(await holdSession(tx, { owner, sessionId }))) return refuse('access_denied')
    await openAccount(tx, owner, now)
    await insertFamily(tx, { id: linkId, client_id: grant.client_id, owner, scopes, audience, created_at: now })
    grantFailpoints.hit('opened')
    await endFamilies(tx, replaces, now, 'relinked')
    await changeGrant(tx, grantId, {
      state: 'approved',
      family_id: linkId,
      sealed,
      router_unavailable: routerUnavailable,
    })
    grantFailpoints.hit('written')
    return undefined
  })
  grantFailpoints.hit('committed')
  if (refused) return refused
  await showEnded(ctx, replaces)
  return {}
}
