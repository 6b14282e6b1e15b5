import { agentLinked, agentRevoked, familyEnded, agents as operations } from '@callboard/contract'
import { openChains } from '@callboard/evm'
import { on, service, watchingChains } from '@callboard/runtime'
import { afterRestore } from './after-restore.ts'
import { Config } from './config.ts'
import { onFamilyEnded } from './consumers/family-ended.ts'
import { calls, type Resources } from './context.ts'
import { settleLinks, sweep } from './jobs.ts'
import { agentsMeters, readLinks } from './meters.ts'
import { acknowledge } from './operations/acknowledge.ts'
import { createBalanceKey } from './operations/create-balance-key.ts'
import { createRelay } from './operations/create-relay.ts'
import { createRouterKey } from './operations/create-router-key.ts'
import { decideLink } from './operations/decide-link.ts'
import { deleteBackup } from './operations/delete-backup.ts'
import { deviceAuthorization } from './operations/device-authorization.ts'
import { distrustDevice } from './operations/distrust-device.ts'
import { edit } from './operations/edit.ts'
import { list } from './operations/list.ts'
import { listBackups } from './operations/list-backups.ts'
import { listDevices } from './operations/list-devices.ts'
import { openRelay } from './operations/open-relay.ts'
import { readBackup } from './operations/read-backup.ts'
import { readLinkRequest } from './operations/read-link-request.ts'
import { readRelay } from './operations/read-relay.ts'
import { relayTransfer } from './operations/relay-transfer.ts'
import { sealRelay } from './operations/seal-relay.ts'
import { self } from './operations/self.ts'
import { selfRouter } from './operations/self-router.ts'
import { selfStake } from './operations/self-stake.ts'
import { siblings } from './operations/siblings.ts'
import { storeBackup } from './operations/store-backup.ts'
import { unlink } from './operations/unlink.ts'
import { unlinkSelf } from './operations/unlink-self.ts'
import * as links from './store/migrations/0001-links.ts'
import * as backups from './store/migrations/0002-backups.ts'
import * as descent from './store/migrations/0003-descent.ts'
import * as sessions from './store/migrations/0004-sessions.ts'
import * as allowances from './store/migrations/0005-allowances.ts'
import type { AgentsTables } from './store/tables.ts'

/** Decides who may link to an owner: requests that agents prove with wallets, the owner's decisions, and their end. */
export const agents = service<typeof Config, AgentsTables, Resources, typeof operations, typeof calls>({
  name: 'agents',
  config: Config,
  migrations: {
    ...{ '0001-links': links, '0002-backups': backups, '0003-descent': descent, '0004-sessions': sessions },
    '0005-allowances': allowances,
  },
  open: async (ctx) => {
    const meters = agentsMeters(ctx.metrics.registry)
    readLinks(meters, ctx.metrics.collectors, ctx.db)
    return { ...openChains(ctx.config, watchingChains(ctx)), meters }
  },
  operations,
  serves: {
    ...{ deviceAuthorization, readLinkRequest, decideLink },
    ...{ list, edit, unlink, listDevices, distrustDevice, acknowledge },
    ...{ self, unlinkSelf, siblings, selfRouter, selfStake, createRouterKey, createBalanceKey, relayTransfer },
    ...{ listBackups, readBackup, deleteBackup, storeBackup, createRelay, openRelay, sealRelay, readRelay },
  },
  calls,
  consumes: [on(familyEnded, onFamilyEnded)],
  publishes: [agentLinked, agentRevoked],
  afterRestore,
  jobs: [settleLinks, sweep],
})
