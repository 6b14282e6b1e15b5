import { familyEnded } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { endFamilies } from '../store/family.repository.ts'
import type { OauthTx, TokenFamilyTable } from '../store/tables.ts'

/** Ends a family because of one of its tokens and publishes that: `agents` then ends the family's link. */
export async function endByToken(
  ctx: Pick<OauthContext, 'clock' | 'publish'>,
  tx: OauthTx,
  family: TokenFamilyTable,
  because: 'reuse' | 'revoked',
): Promise<void> {
  const now = ctx.clock.now()
  if (family.revoked_at) return
  await endFamilies(tx, [family.id], new Date(now), because)
  const { id: familyId, client_id: clientId, owner } = family
  await ctx.publish(tx, familyEnded, { familyId, clientId, owner, because, endedAt: isoTime(now) })
}
