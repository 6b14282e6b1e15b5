import { routes } from '@callboard/contract'
import { expect, test } from 'vitest'
import type { TargetOf } from '../target.ts'
import { seen } from './seen.ts'

/** Declared refusals that cannot be brought about over HTTP alone, and why. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  'oauth.token expired_token': 'twenty minutes have to pass',
  'oauth.token temporarily_unavailable': 'the store of grants has to be unavailable',
  'oauth.register rate_limited': 'the clients of the whole address would be refused for days',
  'oauth.register temporarily_unavailable': 'there have to be as many clients as may be',
  'oauth.revoke temporarily_unavailable': 'the store of tokens has to be unavailable',
  'listings.payoutNonce temporarily_unavailable': 'the nonce store has to be unavailable',
  'listings.splitters temporarily_unavailable': 'the chain has to be unavailable',
  'listings.publish temporarily_unavailable': 'the chain has to be unavailable',
  'listings.setStatus temporarily_unavailable': 'the chain has to be unavailable',
  'listings.setStatus unsupported_network':
    'the network’s splitter factory has to be another one than its draft was for',
  'listings.publish invalid_state': 'the operator has to have rejected a listing of the same endpoint',
  'listings.edit invalid_state': 'the operator has to have rejected a listing of the same name',
  'listings.replace listing_limit': 'there have to be as many listings as a site may have',
  'listings.publish listing_limit': 'there have to be as many listings as an owner or a site may have',
  'listings.publish name_resembles_verified': 'the operator has to have verified a listing of another owner',
  'listings.setStatus name_resembles_verified': 'the operator has to have verified a listing of another owner',
  'listings.edit name_resembles_verified': 'the operator has to have verified a listing of another owner',
  'listings.resync mirrored': 'the instance has to hold a mirror of an external catalogue',
  'agents.deviceAuthorization temporarily_unavailable': 'the nonce store has to be unavailable',
  'agents.edit temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'agents.edit fresh_signature_required': 'fifteen minutes have to pass',
  'agents.distrustDevice temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'oauth.createKey fresh_signature_required': 'fifteen minutes have to pass',
  'oauth.consoleToken fresh_signature_required': 'fifteen minutes have to pass',
  'agents.unlink temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'agents.unlinkSelf temporarily_unavailable': 'the Router has to be unavailable after it has made a key',
  'agents.storeBackup backup_limit': 'fifty-one agents have to be linked, each of another device',
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
}

/** Routes that cannot succeed yet, and why. */
const NO_SUCCESS: Readonly<Record<string, string>> = {
  'agents.selfRouter': 'no service answers for the Router',
  'agents.selfStake': 'no service answers for the Router',
  'agents.createRouterKey': 'no service answers for the Router',
  'agents.createBalanceKey': 'no service answers for the Router',
}

/** What the run before these tests has covered. They come last. */
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

  test('every route has answered with success', ({ skip }) => {
    if (!target().devnet) skip('some routes need the target’s devnet')
    expect(
      routes()
        .map(({ id }) => id)
        .filter((id) => !seen.answer(id) && NO_SUCCESS[id] === undefined),
    ).toEqual([])
  })

  test('every declared refusal was met, but for those out of reach', ({ skip }) => {
    if (!target().devnet) skip('some refusals need the target’s devnet')
    const declared = routes().flatMap(({ id, errors }) =>
      errors.map(({ code }) => ({ id, code, name: `${id} ${code}` })),
    )
    const missed = declared.filter(({ id, code }) => !seen.refusal(id, code)).map(({ name }) => name)
    expect(missed.filter((name) => OUT_OF_REACH[name] === undefined)).toEqual([])
  })
}
