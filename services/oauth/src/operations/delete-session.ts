import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { signOut } from '../sessions/sign-out.ts'

export const deleteSession: OauthHandler<typeof oauth.deleteSession> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  await signOut(ctx, ctx.caller.owner, ctx.caller.sessionId)
  return {}
}
