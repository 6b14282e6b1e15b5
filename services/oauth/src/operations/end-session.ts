import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { signOut } from '../sessions/sign-out.ts'

export const endSession: OauthHandler<typeof oauth.endSession> = async ({ id }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  return (await signOut(ctx, ctx.caller.owner, id)) ? {} : refuse('not_found')
}
