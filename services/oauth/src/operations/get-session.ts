import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'

export const getSession: OauthHandler<typeof oauth.getSession> = async (_input, { caller }) =>
  caller.kind === 'session' ? { owner: caller.owner, expiresAt: caller.expiresAt } : refuse('unauthorized')
