import { routes } from '@callboard/contract'
import { expect, test } from 'vitest'
import { seen } from './seen.ts'
import type { TargetOf } from './target.ts'

/** Declared refusals that nobody can bring about over HTTP alone, and why. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  'oauth.token expired_token': 'twenty minutes have to pass',
  'oauth.token temporarily_unavailable': 'the store of grants has to be away',
  'oauth.revoke temporarily_unavailable': 'the store of tokens has to be away',
  'listings.payoutNonce temporarily_unavailable': 'the nonce store has to be away',
  'listings.splitters temporarily_unavailable': 'the chain has to be away',
  'listings.publish temporarily_unavailable': 'the chain has to be away',
  'listings.setStatus temporarily_unavailable': 'the chain has to be away',
  'listings.resync mirrored': 'the instance has to hold a mirror of an external catalogue',
  'agents.deviceAuthorization temporarily_unavailable': 'the nonce store has to be away',
  'agents.edit temporarily_unavailable': 'the Router has to be away after it has made a key',
  'agents.unlink temporarily_unavailable': 'the Router has to be away after it has made a key',
  'agents.unlinkSelf temporarily_unavailable': 'the Router has to be away after it has made a key',
  'agents.storeBackup backup_limit': 'fifty-one agents have to be linked, each of another device',
  'agents.openRelay rate_limited': 'the codes of the whole address would be refused for minutes',
  'agents.sealRelay rate_limited': 'the codes of the whole address would be refused for minutes',
  'agents.readRelay rate_limited': 'the codes of the whole address would be refused for minutes',
  'agents.relayTransfer settlement_pending': 'the chain has to stop mining',
  'agents.relayTransfer temporarily_unavailable': 'the chain has to be away',
  'x402-facilitator.verify temporarily_unavailable': 'the chain has to be away',
  'x402-facilitator.settle temporarily_unavailable': 'the chain has to be away',
  'x402-facilitator.decode temporarily_unavailable': 'the chain has to be away',
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
