import type { agents } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import { plainUsd } from '../domain/usd.ts'
import type { AgentsHandler } from '../kit.ts'
import { trustsOf } from '../store/device-trust.repository.ts'
import { linksOf } from '../store/link.repository.ts'
import type { DeviceTrustTable } from '../store/tables.ts'

export const listDevices: AgentsHandler<typeof agents.listDevices> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const [links, trusts] = await Promise.all([linksOf(ctx.db, owner, ['live']), trustsOf(ctx.db, owner)])
  const inUse = links.flatMap(({ device }) => device ?? [])
  const trustOn = new Map(trusts.map((trust) => [trust.device, trust]))
  const devices = [...new Set([...inUse, ...trustOn.keys()])].sort()
  return {
    devices: devices.map((device) => ({
      device,
      agents: inUse.filter((used) => used === device).length,
      trust: shownTrust(trustOn.get(device)),
    })),
  }
}

const shownTrust = (trust: DeviceTrustTable | undefined) =>
  trust
    ? { since: isoTime(trust.since.getTime()), scopes: trust.scopes, allowanceUsd: plainUsd(trust.allowance_usd) }
    : null
