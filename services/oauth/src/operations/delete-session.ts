import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { endSessionOf } from '../end-session.ts'
import type { OauthHandler } from '../kit.ts'

export const deleteSession: OauthHandler<typeof oauth.deleteSession> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  await endSessionOf(ctx, ctx.caller.owner, ctx.caller.sessionId)
  return {}
}
