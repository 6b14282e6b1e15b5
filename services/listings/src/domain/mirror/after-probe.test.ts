import type { DataOf, probeCompleted } from '@callboard/contract'
import { noChecks } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { offer, THIRD_PARTY } from '../../../test/held-listing.ts'
import { afterProbe, newTerms, termsIn } from './after-probe.ts'
import { isShownAlike, mirrorSnapshot } from './mirror-view.ts'
import type { Mirrored } from './mirrored.ts'

type Probe = DataOf<typeof probeCompleted>

const probe = (at: number, more: Partial<Probe> = {}): Probe => ({
  ...{ slug: 'a', url: 'https://a.example/x', method: 'GET', state: 'ok_402', finding: 'payable', verdict: 'up' },
  ...{ latencyMs: 5, checkedAt: isoTime(at), accepts: [offer()], conformance: null, liveness: noChecks },
  consecutiveDown: 0,
  ...more,
})

const unprobed: Mirrored = {
  ...{
    slug: 'a',
    version: 7,
    method: 'GET',
    url: 'https://a.example/x?q=1',
    claimSource: 'one',
    fact: null,
    terms: null,
  },
  claim: { title: 'A', description: 'Claimed.', category: 'data', offers: [] },
  ...{ state: 'unprobed', stateSince: 0, reason: null, okAt: null, owner: null, ownedSince: null },
  ...{ createdAt: 0, updatedAt: 0, unnamedSince: null },
}
const payable = afterProbe(unprobed, probe(1_000))

describe('afterProbe', () => {
  test('default: payable by what was read, under the terms of the first reading', () => {
    expect(payable).toMatchObject({ state: 'payable', stateSince: 1_000, okAt: 1_000, reason: null })
    expect(payable.terms).toEqual(termsIn([offer()]))
    expect(mirrorSnapshot(payable).operations[0]).toMatchObject({ price: '0.01', url: 'https://a.example/x?q=1' })
  })

  test('behavior: another price is no change of terms, and is shown', () => {
    const dearer = afterProbe(payable, probe(2_000, { accepts: [offer({ amount: '20000' })] }))
    expect(dearer).toMatchObject({ state: 'payable', stateSince: 1_000, okAt: 2_000 })
    expect(mirrorSnapshot(dearer).operations[0]?.price).toBe('0.02')
    expect(isShownAlike(payable, dearer)).toBe(false)
  })

  test('behavior: the same offer read anew shows nothing new', () => {
    expect(isShownAlike(payable, afterProbe(payable, probe(2_000)))).toBe(true)
  })

  test.each([
    ['payee', { payTo: THIRD_PARTY }],
    ['asset', { asset: THIRD_PARTY }],
    ['network', { network: 'eip155:5042' }],
  ])('behavior: another %s suspends it, and shows no price', (_what, more) => {
    const changed = afterProbe(payable, probe(2_000, { accepts: [offer(more)] }))
    expect(changed).toMatchObject({ state: 'suspended', terms: payable.terms, okAt: 1_000 })
    expect(mirrorSnapshot(changed)).toMatchObject({ status: 'suspended', operations: [{ payment: null }], payTo: [] })
    const back = afterProbe(changed, probe(3_000))
    expect(back.state).toBe('suspended')
  })

  test('behavior: a way to pay that was added suspends it as well, one that was left out does not', () => {
    const both = [offer(), offer({ payTo: THIRD_PARTY })]
    expect(afterProbe(payable, probe(2_000, { accepts: both })).state).toBe('suspended')
    const wide = afterProbe(unprobed, probe(1_000, { accepts: both }))
    expect(afterProbe(wide, probe(2_000)).state).toBe('payable')
    expect(newTerms(termsIn(both), termsIn([offer()]))).toEqual([])
  })

  test('behavior: what learnt nothing leaves a payable row as it is, and says why of one that was never read', () => {
    const down = probe(2_000, { state: 'timeout', finding: 'timeout', accepts: null, verdict: 'down' })
    expect(afterProbe(payable, down)).toMatchObject({ state: 'payable', okAt: 1_000, fact: { accepts: [{}] } })
    expect(afterProbe(unprobed, down)).toMatchObject({ state: 'unpayable', reason: expect.stringMatching(/./) })
  })

  test('behavior: what charges no longer, or only by what is not paid here, is unpayable', () => {
    const free = probe(2_000, { state: 'open', finding: 'free', accepts: [], verdict: 'down' })
    expect(afterProbe(payable, free)).toMatchObject({
      state: 'unpayable',
      fact: { kind: 'plain' },
      terms: payable.terms,
    })
    const mpp = probe(2_000, { state: 'mpp', finding: 'mpp', accepts: null })
    expect(afterProbe(unprobed, mpp)).toMatchObject({ state: 'unpayable', fact: { kind: 'mpp' } })
    const elsewhere = [offer({ payable: false, notPayableReason: 'network' })]
    expect(afterProbe(unprobed, probe(2_000, { accepts: elsewhere }))).toMatchObject({
      ...{ state: 'unpayable', fact: { kind: 'x402' } },
    })
  })

  test('behavior: an older probe changes nothing', () => {
    expect(afterProbe(payable, probe(999, { accepts: [] }))).toBe(payable)
  })
})
