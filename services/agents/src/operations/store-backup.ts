import { type agents, MAX_BACKUPS, type Requester } from '@callboard/contract'
import type { Rate } from '@callboard/store'
import { networkOf, refuse } from '@callboard/values'
import { entityTagOf, metadataOf, sha256Of } from '../backups/shown-backup.ts'
import type { AgentsContext, AgentsHandler } from '../context.ts'
import { hold } from '../domain/preconditions.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { backupOf, countBackups, putBackup } from '../store/backup.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { BackupTable } from '../store/tables.ts'

/**
 * For new backups from one network: a hundred, and as many again over a day. Owners and agents cost nothing, and a
 * backup stays for good.
 */
export const NEW_BACKUPS: Rate = { burst: 100, perMinute: 100 / (24 * 60) }

/**
 * The owner stays locked during the decision: of concurrent stores with one precondition, only one passes, and none is
 * written after the end of its agent's link was answered.
 */
export const storeBackup: AgentsHandler<typeof agents.storeBackup> = async (
  { requester, version, recipient, enc, ciphertext: text, ...preconditions },
  ctx,
) => {
  const { caller } = ctx
  if (caller.kind !== 'agent') return refuse('unauthorized')
  const { owner } = caller
  const ciphertext = Buffer.from(text, 'base64url')
  const sha256 = sha256Of(ciphertext)
  return ctx.db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner)
    const link = await linkOfCaller({ db: tx, caller })
    if (!link) return refuse('unauthorized')
    const { device } = link
    if (device === null) return refuse('no_device')
    const backup: BackupTable = {
      ...{ owner, device, version, recipient, enc, ciphertext, sha256 },
      ...{ stored_by: link.client_id, stored_at: new Date(ctx.clock.now()) },
    }
    const before = await backupOf(tx, owner, device)
    if (!hold(preconditions, before && entityTagOf(before))) return refuse('precondition_failed')
    if (!before && (await countBackups(tx, owner)) >= MAX_BACKUPS) return refuse('backup_limit')
    const limited = before ? undefined : await networkRefused(ctx, requester)
    if (limited) return limited
    await putBackup(tx, backup)
    return { backup: metadataOf({ ...backup, bytes: ciphertext.length }), etag: entityTagOf(backup) }
  })
}

async function networkRefused({ counters }: AgentsContext, requester: Requester | undefined) {
  if (!requester) return undefined
  const taken = await counters.take(`new-backups:${networkOf(requester.address)}`, NEW_BACKUPS)
  if (taken.allowed) return undefined
  const message = 'Your network has stored as many new backups as it may in a day. A stored one can still be replaced.'
  return refuse('rate_limited', { message, retryAfterSeconds: taken.retryAfterSeconds })
}
