import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { endSessionOf } from '../end-session.ts'
import type { OauthHandler } from '../kit.ts'

export const endSession: OauthHandler<typeof oauth.endSession> = async ({ id }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  return (await endSessionOf(ctx, ctx.caller.owner, id)) ? {} : refuse('not_found')
}
