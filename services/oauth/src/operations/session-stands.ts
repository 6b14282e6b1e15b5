import type { oauth } from '@callboard/contract'
import type { OauthHandler } from '../context.ts'
import { sessionIsThere } from '../store/session.repository.ts'

export const sessionStands: OauthHandler<typeof oauth.sessionStands> = async (session, ctx) => ({
  stands: await sessionIsThere(ctx.db, session),
})
