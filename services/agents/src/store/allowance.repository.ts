import type { Address } from '@callboard/values'
import type { AgentsDb, AgentsTx } from './tables.ts'

const IN_FORCE = ['approving', 'live'] as const

/** What all agents of an owner, except one client, may together spend per day; decimal USD. */
export async function grantedADay(db: AgentsDb, owner: Address, exceptClientId: string): Promise<string> {
  const { usd } = await db
    .selectFrom('link')
    .select((row) => row.fn.coalesce(row.fn.sum<string>('allowance_usd'), row.lit(0)).as('usd'))
    .where('owner', '=', owner)
    .where('client_id', '<>', exceptClientId)
    .where('state', 'in', IN_FORCE)
    .executeTakeFirstOrThrow()
  return String(usd)
}

/**
 * How much of the trust in each device is in use, by links in force that it approved or whose approver is unknown.
 * @param replacedClientId the client whose live link is to be replaced, and then uses nothing; its links that are still
 * being approved count, since each of them gets an allowance of its own
 */
export const trustInUse = (db: AgentsDb, owner: Address, replacedClientId = '') =>
  db
    .selectFrom('link')
    .select((row) => ['device', row.fn.sum<string>('allowance_usd').as('usd'), row.fn.countAll<string>().as('links')])
    .where('owner', '=', owner)
    .where('device', 'is not', null)
    .where((row) => row.or([row('client_id', '<>', replacedClientId), row('state', '<>', 'live')]))
    .where('state', 'in', IN_FORCE)
    .where('trusts_device', '=', false)
    .where((row) => row.or([row('approved_by', '=', 'trusted_device'), row('approved_by', 'is', null)]))
    .groupBy('device')
    .execute()

/** Links of a device's trust that may have spent today: in force, ending, or over since a given time. */
export const spendersOfTrust = (
  tx: AgentsTx,
  { owner, device, since }: { owner: Address; device: string; since: Date },
) =>
  tx
    .selectFrom('link')
    .select(['id', 'client_id', 'state', 'allowance_usd', 'may_have_key'])
    .where('owner', '=', owner)
    .where('device', '=', device)
    .where('trusts_device', '=', false)
    .where((row) => row.or([row('approved_by', '=', 'trusted_device'), row('approved_by', 'is', null)]))
    .where((row) =>
      row.or([
        row('state', 'in', [...IN_FORCE, 'ending']),
        row.and([row('state', '=', 'over'), row('ended_at', '>', since)]),
      ]),
    )
    .execute()

/** Counts the links approved automatically since a given time, on one device and for its owner in total. */
export async function automaticSince(tx: AgentsTx, owner: Address, device: string, since: Date) {
  const { ofDevice, ofOwner } = await tx
    .selectFrom('link')
    .select((row) => [
      row.fn.countAll<string>().as('ofOwner'),
      row.fn.countAll<string>().filterWhere('device', '=', device).as('ofDevice'),
    ])
    .where('owner', '=', owner)
    .where('approved_by', '=', 'trusted_device')
    .where('linked_at', '>', since)
    .executeTakeFirstOrThrow()
  return { ofDevice: Number(ofDevice), ofOwner: Number(ofOwner) }
}
