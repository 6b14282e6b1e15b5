import { routes } from '@callboard/contract'
import { expect, test } from 'vitest'
import { mirroredOf } from '../actors/mirrored.ts'
import { isOnSale, MODEL_CALLS } from '../models/sold.ts'
import type { Target, TargetOf } from '../target.ts'
import { seen } from './seen.ts'

/** Declared refusals that cannot be provoked over HTTP alone, and why. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  'oauth.createSession temporarily_unavailable': 'the chain of a contract wallet has to be unavailable',
  'oauth.token expired_token': 'twenty minutes have to pass',
  'oauth.token temporarily_unavailable': 'the store of grants has to be unavailable',
  'oauth.register rate_limited': 'the clients of the whole address would be refused for days',
  'oauth.register temporarily_unavailable': 'there have to be as many clients as may be',
  'oauth.token rate_limited': 'tokens have to be refreshed more often than programs do',
  'oauth.revoke temporarily_unavailable': 'the store of tokens has to be unavailable',
  'listings.payoutNonce temporarily_unavailable': 'the nonce store has to be unavailable',
  'listings.splitters temporarily_unavailable': 'the chain has to be unavailable',
  'listings.publish temporarily_unavailable': 'the chain has to be unavailable',
  'listings.setStatus temporarily_unavailable': 'the chain has to be unavailable',
  'listings.setStatus unsupported_network':
    'the network’s splitter factory has to be another one than its draft was for',
  'listings.probe rate_limited': 'many probes of one site have to be under way',
  'listings.publish rate_limited': 'many probes of one site have to be under way',
  'listings.setStatus rate_limited': 'many probes of one site have to be under way',
  'listings.replace rate_limited': 'many probes of one site have to be under way',
  'listings.resync rate_limited': 'many probes of one site have to be under way',
  'listings.publish invalid_state': 'the operator has to have rejected a listing of the same endpoint',
  'listings.edit invalid_state': 'the operator has to have rejected a listing of the same name',
  'listings.replace listing_limit': 'there have to be as many listings as a site may have',
  'listings.publishPosting posting_limit': 'there have to be as many postings as an owner or a network may have',
  'listings.editPosting posting_limit': 'there have to be as many postings, and time has to end one',
  'listings.publish listing_limit': 'there have to be as many listings as an owner or a site may have',
  'listings.publish name_resembles_verified': 'the operator has to have verified a listing of another owner',
  'listings.setStatus name_resembles_verified': 'the operator has to have verified a listing of another owner',
  'listings.edit name_resembles_verified': 'the operator has to have verified a listing of another owner',
  'catalog.submitReport rate_limited': 'as many reports have to come as one day takes',
  'listings.claimNonce temporarily_unavailable': 'the nonce store has to be unavailable',
  'listings.claim temporarily_unavailable': 'the nonce store has to be unavailable',
  'listings.withdraw invalid_state': 'the operator has to have rejected a listing that was claimed',
  'agents.deviceAuthorization temporarily_unavailable': 'the nonce store has to be unavailable',
  'agents.edit temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'agents.edit fresh_signature_required': 'fifteen minutes have to pass',
  'agents.distrustDevice temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'oauth.createKey fresh_signature_required': 'fifteen minutes have to pass',
  'oauth.consoleToken fresh_signature_required': 'fifteen minutes have to pass',
  'router.createKey fresh_signature_required': 'fifteen minutes have to pass',
  'agents.unlink temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'agents.unlinkSelf temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'agents.storeBackup backup_limit': 'fifty-one agents have to be linked, each of another device',
  'agents.storeBackup rate_limited': 'a hundred agents have to be linked, each of another device',
  'agents.openRelay rate_limited': 'the codes of the whole address would be refused for minutes',
  'agents.sealRelay rate_limited': 'the codes of the whole address would be refused for minutes',
  'agents.readRelay rate_limited': 'the codes of the whole address would be refused for minutes',
  'agents.relayTransfer settlement_pending': 'the chain has to stop mining',
  'agents.relayTransfer temporarily_unavailable': 'the chain has to be unavailable',
  'x402-facilitator.verify temporarily_unavailable': 'the chain has to be unavailable',
  'x402-facilitator.settle temporarily_unavailable': 'the chain has to be unavailable',
  'x402-facilitator.health temporarily_unavailable': 'every chain has to be unavailable',
  'x402-facilitator.settle gas_budget_spent': 'gas has to be burned for nothing, more than an instance allows',
  'x402-facilitator.decode gas_budget_spent': 'gas has to be burned for nothing, more than an instance allows',
  'agents.relayTransfer gas_budget_spent': 'gas has to be burned for nothing, more than an instance allows',
  'x402-facilitator.decode temporarily_unavailable': 'the chain has to be unavailable',
  'x402-facilitator.decode settlement_pending': 'the chain has to stop mining',
  'agents.selfRouter temporarily_unavailable': 'the Router has to be unavailable',
  'agents.selfStake temporarily_unavailable': 'the Router has to be unavailable',
  'agents.createRouterKey temporarily_unavailable': 'the Router has to be unavailable',
  'agents.createBalanceKey temporarily_unavailable': 'the Router has to be unavailable',
  'liveness-prober.keyDirectory not_found': 'the instance has to be without a key of its prober',
  'router.receipt call_under_way': 'a call has to be caught while it is under way',
  'router.topUp temporarily_unavailable': 'the chain has to be unavailable',
  'router.onrampSession unsupported_network': 'an onramp provider has to be configured',
  'router.onrampSession onramp_failed': 'an onramp provider has to be configured, and to fail',
  'router.onrampSession rate_limited': 'as many sessions have to be made as one day has',
  'router.onrampSession temporarily_unavailable': 'the chain has to be unavailable',
  'router.topUp settlement_pending': 'the chain has to stop mining',
  'router.topUp gas_budget_spent': 'gas has to be burned for nothing, more than an instance allows',
}

/** Requires a target that mirrors an origin which pays an account of its devnet, as the demonstration does. */
const OF_A_MIRROR: ReadonlySet<string> = new Set([
  'listings.claim',
  'listings.claim not_payee',
  'listings.claim already_owned',
  'listings.resync mirrored',
])

/** Refusals of a model route that need a model on sale: what is not sold is refused before anything is paid. */
const OF_A_SOLD_MODEL: ReadonlySet<string> = new Set(['insufficient_quota', 'payment_required', 'payment_conflict'])

/** Refusals of every model route that cannot be provoked, and why. */
const OUT_OF_REACH_OF_CALLS: Readonly<Record<string, string>> = {
  upstream_error: 'the provider of a model has to fail',
  rate_limited: 'a client waits it out, and calls enough for one cost more than a run may spend',
  temporarily_unavailable: 'the Router has to be unavailable',
  settlement_pending: 'the chain has to stop mining',
  gas_budget_spent: 'gas has to be burned for nothing, more than an instance allows',
}

const isOutOfReach = (id: string, code: string): boolean =>
  OUT_OF_REACH[`${id} ${code}`] !== undefined ||
  (MODEL_CALLS[id] !== undefined && OUT_OF_REACH_OF_CALLS[code] !== undefined)

/** The ids of routes whose success needs a model that the target does not sell. */
const notOnSale = async (target: Target): Promise<ReadonlySet<string>> => {
  const known = await Promise.all(routes().map(async ({ id }) => ({ id, ok: await isOnSale(target, id) })))
  return new Set(known.filter(({ ok }) => !ok).map(({ id }) => id))
}

/** Registers the tests of what the run has covered. They run last. */
export function registerCoverage(target: TargetOf, covered: readonly string[]): void {
  test('every route of the contract has its tests', () => {
    const ids = routes().map(({ id }) => id)
    expect(
      ids.filter((id) => !covered.includes(id)),
      'routes without a file in operations/',
    ).toEqual([])
    expect(
      covered.filter((id) => !ids.includes(id)),
      'files without a route',
    ).toEqual([])
  })

  test('every route answered with success, except unreachable ones and calls of models that are not sold', async ({
    skip,
  }) => {
    if (!target().devnet) skip('some routes need the target’s devnet')
    const unsold = await notOnSale(target())
    const mirrors = (await mirroredOf(target())) !== undefined
    expect(
      routes()
        .map(({ id }) => id)
        .filter((id) => !seen.answer(id) && !unsold.has(id) && (mirrors || !OF_A_MIRROR.has(id))),
    ).toEqual([])
  })

  test('every declared refusal occurred, except unreachable ones', async ({ skip }) => {
    if (!target().devnet) skip('some refusals need the target’s devnet')
    const unsold = await notOnSale(target())
    const mirrors = (await mirroredOf(target())) !== undefined
    const declared = routes().flatMap(({ id, errors }) => errors.map(({ code }) => ({ id, code })))
    const missed = declared
      .filter(({ id, code }) => !(unsold.has(id) && OF_A_SOLD_MODEL.has(code)))
      .filter(({ id, code }) => mirrors || !OF_A_MIRROR.has(`${id} ${code}`))
      .filter(({ id, code }) => !seen.refusal(id, code) && !isOutOfReach(id, code))
    expect(missed.map(({ id, code }) => `${id} ${code}`)).toEqual([])
  })
}
