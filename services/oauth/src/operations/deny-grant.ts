import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { changeGrant, lockGrant } from '../store/device-grant.repository.ts'

export const denyGrant: OauthHandler<typeof oauth.denyGrant> = async ({ grantId }, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const grant = await lockGrant(tx, grantId)
    if (!grant) return refuse('not_found')
    if (grant.state === 'denied') return {}
    if (grant.state !== 'pending' || grant.expires_at.getTime() <= ctx.clock.now()) return refuse('already_decided')
    await changeGrant(tx, grantId, { state: 'denied' })
    return {}
  })
