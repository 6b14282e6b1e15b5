import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import type { OauthContext } from './context.ts'
import { sweepCodes } from './store/authorization-code.repository.ts'
import { sweepClients, sweepNeverGranted } from './store/client.repository.ts'
import { sweepGrants } from './store/device-grant.repository.ts'
import { sweepAll, sweepFamilies, sweepKeys } from './store/ended.repository.ts'
import { sweepSessions } from './store/session.repository.ts'
import { sweepTokens } from './store/token.repository.ts'
import { endLapsed } from './tokens/end-lapsed.ts'

/** As long as `agents` shows ended links: a link's family says when its agent was last seen. */
const KEPT_MS = 90 * DAY_MS

/**
 * How long a metadata document stays to which no owner granted anything: longer than any flow takes. Anyone may name as
 * many URLs as they like, and a removed document is read again.
 */
const DOCUMENT_KEPT_MS = HOUR_MS

/**
 * Removes what has ended and is already refused. For one day, a late poll still learns that its code expired. Families
 * and API keys are kept for a quarter of a year after their end.
 */
export const sweep = every<OauthContext>('sweep-ended', 10 * MINUTE_MS, async ({ db, clock, config }, signal) => {
  const now = clock.now()
  await sweepSessions(
    db,
    new Date(now - config.SESSION_MAX_HOURS * HOUR_MS),
    new Date(now - config.SESSION_IDLE_HOURS * HOUR_MS),
  )
  await sweepGrants(db, new Date(now - DAY_MS))
  await sweepCodes(db, new Date(now - DAY_MS))
  await sweepTokens(db, new Date(now))
  const registeredBefore = new Date(now - config.CLIENT_NEVER_GRANTED_DAYS * DAY_MS)
  await sweepNeverGranted(db, registeredBefore, new Date(now - DOCUMENT_KEPT_MS))
  await sweepClients(db, new Date(now - config.CLIENT_UNUSED_DAYS * DAY_MS), new Date(now))
  const revokedBefore = new Date(now - KEPT_MS)
  const consentedBefore = new Date(now - KEPT_MS - config.LINK_MAX_DAYS * DAY_MS)
  await sweepAll(() => sweepFamilies(db, { revokedBefore, consentedBefore }), signal)
  await sweepAll(() => sweepKeys(db, revokedBefore), signal)
})

/** Ends agents’ grants at the end of their lifetime. */
export const endLapsedLinks = every<OauthContext>('end-lapsed-links', MINUTE_MS, (ctx, signal) =>
  sweepAll(() => endLapsed(ctx), signal),
)
