import { fittingPart } from '@callboard/bus'
import type { agents } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { plainUsd } from '../domain/usd.ts'
import { trustInUse } from '../store/allowance.repository.ts'
import { trustsOf } from '../store/device-trust.repository.ts'
import { linksOf } from '../store/link.repository.ts'
import type { DeviceTrustTable } from '../store/tables.ts'

export const listDevices: AgentsHandler<typeof agents.listDevices> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const [links, trusts, uses] = await Promise.all([
    linksOf(ctx.db, owner, ['live']),
    trustsOf(ctx.db, owner),
    trustInUse(ctx.db, owner),
  ])
  const inUseUsd = new Map(uses.map(({ device, usd }) => [device, usd]))
  const inUse = links.flatMap(({ device }) => device ?? [])
  const trustOn = new Map(trusts.map((trust) => [trust.device, trust]))
  // Those in use come first: a session may have trusted any number of others.
  const devices = [...new Set([...inUse.toSorted(), ...[...trustOn.keys()].toSorted()])]
  const { shown, ...rest } = fittingPart(
    devices.map((device) => ({
      device,
      agents: inUse.filter((used) => used === device).length,
      trust: shownTrust(trustOn.get(device), inUseUsd.get(device) ?? '0'),
      automatic: links.filter((link) => link.device === device && link.approved_by === 'trusted_device').length,
    })),
  )
  return { devices: shown, ...rest }
}

const shownTrust = (trust: DeviceTrustTable | undefined, inUseUsd: string) =>
  trust
    ? {
        since: isoTime(trust.since.getTime()),
        scopes: trust.scopes,
        allowanceUsd: plainUsd(trust.allowance_usd),
        allowanceInUseUsd: plainUsd(inUseUsd),
      }
    : null
