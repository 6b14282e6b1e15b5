import { DEVICE_CODE_LIFETIME_S, type oauth, POLL_INTERVAL_S } from '@callboard/contract'
import { sealingKeyOf } from '@callboard/sealing'
import { isoTime, SECOND_MS } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { newCredential } from '../domain/credential.ts'
import { hashUserCode, newUserCode, shownUserCode } from '../domain/user-code.ts'
import { insertDeviceGrant } from '../store/device-grant.repository.ts'

/** Of 25 billion codes, only thousands are undecided at a time. */
const TRIES = 5

export const createGrant: OauthHandler<typeof oauth.createGrant> = async ({ clientId, scopes }, ctx) => {
  const now = ctx.clock.now()
  const expiresAt = now + DEVICE_CODE_LIFETIME_S * SECOND_MS
  const { secret, hash } = newCredential('device')
  const grant = {
    id: ctx.newId(),
    device_code_hash: hash,
    client_id: clientId,
    scopes,
    sealing_key: await sealingKeyOf(secret),
    created_at: new Date(now),
    expires_at: new Date(expiresAt),
    interval_seconds: POLL_INTERVAL_S,
    polled_at: null,
    family_id: null,
    sealed: null,
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const userCode = newUserCode()
    if (!(await insertDeviceGrant(ctx.db, { ...grant, user_code_hash: await hashUserCode(userCode) }))) continue
    return {
      grantId: grant.id,
      deviceCode: secret,
      userCode: shownUserCode(userCode),
      expiresAt: isoTime(expiresAt),
      intervalSeconds: POLL_INTERVAL_S,
    }
  }
  throw new Error(`${TRIES} user codes in a row were taken`)
}
