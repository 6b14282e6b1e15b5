import { type oauth, STATEMENTS } from '@callboard/contract'
import { issueNonce } from '@callboard/store'
import { isoTime } from '@callboard/values'
import type { OauthHandler } from '../context.ts'

export const siweNonce: OauthHandler<typeof oauth.siweNonce> = async ({ purpose }, ctx) => {
  const { nonce, expiresAtMs } = await issueNonce(ctx.counters, purpose, ctx.clock.now())
  const { host, origin } = new URL(ctx.config.BASE_URL)
  return { nonce, expiresAt: isoTime(expiresAtMs), statement: STATEMENTS[purpose], domain: host, uri: origin }
}
