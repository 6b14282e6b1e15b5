import { agentLinked, agentRevoked, familyEnded, oauth, agents as operations, router } from '@callboard/contract'
import { openChains } from '@callboard/evm'
import { measuringChainCalls, on, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onFamilyEnded } from './consumers/family-ended.ts'
import { settleLinks, sweep } from './jobs.ts'
import type { Callee, Parts } from './kit.ts'
import { createBalanceKey } from './operations/create-balance-key.ts'
import { createRouterKey } from './operations/create-router-key.ts'
import { decideLink } from './operations/decide-link.ts'
import { deviceAuthorization } from './operations/device-authorization.ts'
import { distrustDevice } from './operations/distrust-device.ts'
import { edit } from './operations/edit.ts'
import { list } from './operations/list.ts'
import { listDevices } from './operations/list-devices.ts'
import { readLinkRequest } from './operations/read-link-request.ts'
import { self } from './operations/self.ts'
import { selfRouter } from './operations/self-router.ts'
import { siblings } from './operations/siblings.ts'
import { unlink } from './operations/unlink.ts'
import { unlinkSelf } from './operations/unlink-self.ts'
import * as links from './store/migrations/0001-links.ts'
import type { AgentsTables } from './store/tables.ts'

/** Who may link to an owner: requests that agents prove with their wallets, the owner's decisions, and their end. */
export const agents = service<typeof Config, AgentsTables, Parts, typeof operations, Callee>({
  name: 'agents',
  config: Config,
  migrations: { '0001-links': links },
  open: async ({ config, metrics }) => openChains(config, measuringChainCalls(metrics)),
  operations,
  serves: {
    ...{ deviceAuthorization, readLinkRequest, decideLink },
    ...{ list, edit, unlink, listDevices, distrustDevice },
    ...{ self, unlinkSelf, siblings, selfRouter, createRouterKey, createBalanceKey },
  },
  calls: [
    ...[oauth.createGrant, oauth.findGrant, oauth.approveGrant, oauth.denyGrant, oauth.revokeLink, oauth.lastUses],
    ...[router.mintKey, router.revokeKeys, router.setAllowance, router.view, router.spentToday],
  ],
  consumes: [on(familyEnded, onFamilyEnded)],
  publishes: [agentLinked, agentRevoked],
  jobs: [settleLinks, sweep],
})
