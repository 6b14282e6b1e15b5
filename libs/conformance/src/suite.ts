import { routes } from '@callboard/contract'
import { afterAll, beforeAll, describe } from 'vitest'
import { registerCoverage } from './coverage.ts'
import { registerEdge } from './edge.ts'
import { createBalanceKey } from './operations/agents.create-balance-key.ts'
import { createRelay } from './operations/agents.create-relay.ts'
import { createRouterKey } from './operations/agents.create-router-key.ts'
import { deleteBackup } from './operations/agents.delete-backup.ts'
import { deviceAuthorization } from './operations/agents.device-authorization.ts'
import { distrustDevice } from './operations/agents.distrust-device.ts'
import { editAgent } from './operations/agents.edit.ts'
import { listAgents } from './operations/agents.list.ts'
import { listBackups } from './operations/agents.list-backups.ts'
import { listDevices } from './operations/agents.list-devices.ts'
import { openRelay } from './operations/agents.open-relay.ts'
import { readBackup } from './operations/agents.read-backup.ts'
import { readRelay } from './operations/agents.read-relay.ts'
import { relayTransfer } from './operations/agents.relay-transfer.ts'
import { sealRelay } from './operations/agents.seal-relay.ts'
import { self } from './operations/agents.self.ts'
import { selfRouter } from './operations/agents.self-router.ts'
import { selfStake } from './operations/agents.self-stake.ts'
import { siblings } from './operations/agents.siblings.ts'
import { storeBackup } from './operations/agents.store-backup.ts'
import { unlink } from './operations/agents.unlink.ts'
import { unlinkSelf } from './operations/agents.unlink-self.ts'
import { activity } from './operations/catalog.activity.ts'
import { addressActivity } from './operations/catalog.address-activity.ts'
import { apiCatalog } from './operations/catalog.api-catalog.ts'
import { discovery } from './operations/catalog.discovery.ts'
import { entry } from './operations/catalog.entry.ts'
import { list } from './operations/catalog.list.ts'
import { search } from './operations/catalog.search.ts'
import { services } from './operations/catalog.services.ts'
import { stats } from './operations/catalog.stats.ts'
import { edit } from './operations/listings.edit.ts'
import { mine } from './operations/listings.mine.ts'
import { payoutNonce } from './operations/listings.payout-nonce.ts'
import { probe } from './operations/listings.probe.ts'
import { publish } from './operations/listings.publish.ts'
import { resync } from './operations/listings.resync.ts'
import { setStatus } from './operations/listings.set-status.ts'
import { splitters } from './operations/listings.splitters.ts'
import { consoleToken } from './operations/oauth.console-token.ts'
import { createKey } from './operations/oauth.create-key.ts'
import { createSession } from './operations/oauth.create-session.ts'
import { deleteClient } from './operations/oauth.delete-client.ts'
import { deleteKey } from './operations/oauth.delete-key.ts'
import { deleteSession } from './operations/oauth.delete-session.ts'
import { endSession } from './operations/oauth.end-session.ts'
import { getSession } from './operations/oauth.get-session.ts'
import { listKeys } from './operations/oauth.list-keys.ts'
import { listSessions } from './operations/oauth.list-sessions.ts'
import { readClient } from './operations/oauth.read-client.ts'
import { register } from './operations/oauth.register.ts'
import { revoke } from './operations/oauth.revoke.ts'
import { siweNonce } from './operations/oauth.siwe-nonce.ts'
import { token } from './operations/oauth.token.ts'
import { updateClient } from './operations/oauth.update-client.ts'
import { decode } from './operations/x402-facilitator.decode.ts'
import { discoveryResources } from './operations/x402-facilitator.discovery-resources.ts'
import { openapi } from './operations/x402-facilitator.openapi.ts'
import { settle } from './operations/x402-facilitator.settle.ts'
import { supported } from './operations/x402-facilitator.supported.ts'
import { verify } from './operations/x402-facilitator.verify.ts'
import { wellKnown } from './operations/x402-facilitator.well-known.ts'
import { closeStages, stageOf } from './stage.ts'
import type { Register, TargetOf } from './target.ts'

/** The tests of every operation with an HTTP face, by the operation's id. */
const OPERATIONS: Readonly<Record<string, Register>> = {
  'agents.deviceAuthorization': deviceAuthorization,
  'agents.list': listAgents,
  'agents.edit': editAgent,
  'agents.unlink': unlink,
  'agents.listDevices': listDevices,
  'agents.distrustDevice': distrustDevice,
  'agents.self': self,
  'agents.unlinkSelf': unlinkSelf,
  'agents.siblings': siblings,
  'agents.selfRouter': selfRouter,
  'agents.selfStake': selfStake,
  'agents.createRouterKey': createRouterKey,
  'agents.createBalanceKey': createBalanceKey,
  'agents.listBackups': listBackups,
  'agents.readBackup': readBackup,
  'agents.deleteBackup': deleteBackup,
  'agents.storeBackup': storeBackup,
  'agents.createRelay': createRelay,
  'agents.openRelay': openRelay,
  'agents.sealRelay': sealRelay,
  'agents.readRelay': readRelay,
  'agents.relayTransfer': relayTransfer,
  'catalog.discovery': discovery,
  'catalog.services': services,
  'catalog.search': search,
  'catalog.list': list,
  'catalog.entry': entry,
  'catalog.stats': stats,
  'catalog.activity': activity,
  'catalog.addressActivity': addressActivity,
  'catalog.apiCatalog': apiCatalog,
  'listings.mine': mine,
  'listings.payoutNonce': payoutNonce,
  'listings.splitters': splitters,
  'listings.probe': probe,
  'listings.publish': publish,
  'listings.setStatus': setStatus,
  'listings.edit': edit,
  'listings.resync': resync,
  'oauth.siweNonce': siweNonce,
  'oauth.createSession': createSession,
  'oauth.getSession': getSession,
  'oauth.deleteSession': deleteSession,
  'oauth.listSessions': listSessions,
  'oauth.endSession': endSession,
  'oauth.consoleToken': consoleToken,
  'oauth.listKeys': listKeys,
  'oauth.createKey': createKey,
  'oauth.deleteKey': deleteKey,
  'oauth.register': register,
  'oauth.readClient': readClient,
  'oauth.updateClient': updateClient,
  'oauth.deleteClient': deleteClient,
  'oauth.token': token,
  'oauth.revoke': revoke,
  'x402-facilitator.supported': supported,
  'x402-facilitator.verify': verify,
  'x402-facilitator.settle': settle,
  'x402-facilitator.discoveryResources': discoveryResources,
  'x402-facilitator.decode': decode,
  'x402-facilitator.openapi': openapi,
  'x402-facilitator.wellKnown': wellKnown,
}

/**
 * Registers the whole suite: every route of the contract, in the contract's order, then what holds for all of them, then
 * what was covered.
 */
export function conformance(target: TargetOf): void {
  beforeAll(async () => {
    if (target().devnet) await stageOf(target())
  }, 60_000)
  afterAll(closeStages)

  for (const { id, http } of routes()) {
    const register = OPERATIONS[id]
    if (register) describe(`${id} (${http.method} ${http.path})`, () => register(target))
  }
  describe('the edge', () => registerEdge(target))
  describe('coverage', () => registerCoverage(target, Object.keys(OPERATIONS)))
}
