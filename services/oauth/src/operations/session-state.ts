import type { oauth } from '@callboard/contract'
import type { OauthHandler } from '../context.ts'
import { sessionIsActive } from '../store/session.repository.ts'

export const sessionState: OauthHandler<typeof oauth.sessionState> = async (session, ctx) => ({
  active: await sessionIsActive(ctx.db, session),
})
