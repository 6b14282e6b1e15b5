import type { DeviceGrant, oauth } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { hashUserCode, readUserCode } from '../domain/user-code.ts'
import { grantById, grantByUserCode } from '../store/device-grant.repository.ts'
import type { DeviceGrantTable } from '../store/tables.ts'

export const findGrant: OauthHandler<typeof oauth.findGrant> = async (input, ctx) => {
  const userCode = 'userCode' in input ? readUserCode(input.userCode) : undefined
  const grant =
    'grantId' in input
      ? await grantById(ctx.db, input.grantId)
      : userCode === undefined
        ? undefined
        : await grantByUserCode(ctx.db, userCode, await hashUserCode(userCode))
  return grant ? shown(grant, ctx.clock.now()) : refuse('not_found')
}

const shown = (grant: DeviceGrantTable, now: number): DeviceGrant => ({
  grantId: grant.id,
  clientId: grant.client_id,
  scopes: grant.scopes,
  state: grant.state !== 'redeemed' && grant.expires_at.getTime() <= now ? 'expired' : grant.state,
  createdAt: isoTime(grant.created_at.getTime()),
  expiresAt: isoTime(grant.expires_at.getTime()),
  linkId: grant.family_id,
  sealingKey: grant.sealing_key,
})
