import type { DataOf, probeCompleted } from '@callboard/contract'
import { noChecks } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { offer, THIRD_PARTY } from '../../../test/held-listing.ts'
import { afterProbe, newTerms, payableIn, termInWords, termsIn } from './after-probe.ts'
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
  test('default: the row is payable as it was read, under the terms of the first reading', () => {
    expect(payable).toMatchObject({ state: 'payable', stateSince: 1_000, okAt: 1_000, reason: null })
    expect(payable.terms).toEqual(termsIn([offer()]))
    expect(mirrorSnapshot(payable).operations[0]).toMatchObject({ price: '0.01', url: 'https://a.example/x?q=1' })
  })

  test('behavior: another price is shown, and is no change of terms', () => {
    const dearer = afterProbe(payable, probe(2_000, { accepts: [offer({ amount: '20000' })] }))
    expect(dearer).toMatchObject({ state: 'payable', stateSince: 1_000, okAt: 2_000 })
    expect(mirrorSnapshot(dearer).operations[0]?.price).toBe('0.02')
    expect(isShownAlike(payable, dearer)).toBe(false)
  })

  test('behavior: reading the same offer again shows nothing new', () => {
    expect(isShownAlike(payable, afterProbe(payable, probe(2_000)))).toBe(true)
  })

  test.each([
    ['payee', { payTo: THIRD_PARTY }],
    ['asset', { asset: THIRD_PARTY }],
    ['network', { network: 'eip155:5042' }],
  ])('behavior: another %s suspends the row, which then shows no price', (_what, more) => {
    const changed = afterProbe(payable, probe(2_000, { accepts: [offer(more)] }))
    expect(changed).toMatchObject({ state: 'suspended', terms: payable.terms, okAt: 1_000 })
    expect(mirrorSnapshot(changed)).toMatchObject({ status: 'suspended', operations: [{ payment: null }], payTo: [] })
    const back = afterProbe(changed, probe(3_000))
    expect(back.state).toBe('suspended')
  })

  test('behavior: an added way to pay suspends the row too, but a removed one does not', () => {
    const both = [offer(), offer({ payTo: THIRD_PARTY })]
    expect(afterProbe(payable, probe(2_000, { accepts: both })).state).toBe('suspended')
    const wide = afterProbe(unprobed, probe(1_000, { accepts: both }))
    expect(afterProbe(wide, probe(2_000)).state).toBe('payable')
    expect(newTerms(termsIn(both), termsIn([offer()]))).toEqual([])
  })

  test('behavior: a probe that learnt nothing leaves a payable row as it is, and gives an unread row its reason', () => {
    const down = probe(2_000, { state: 'timeout', finding: 'timeout', accepts: null, verdict: 'down' })
    expect(afterProbe(payable, down)).toMatchObject({ state: 'payable', okAt: 1_000, fact: { accepts: [{}] } })
    expect(afterProbe(unprobed, down)).toMatchObject({ state: 'unpayable', reason: expect.stringMatching(/./) })
  })

  test('behavior: a resource that is free, or paid only by unsupported means, is unpayable', () => {
    const free = probe(2_000, { state: 'open', finding: 'free', accepts: [], verdict: 'down' })
    expect(afterProbe(payable, free)).toMatchObject({
      state: 'unpayable',
      fact: { kind: 'plain' },
      terms: payable.terms,
    })
    const mpp = probe(2_000, { state: 'mpp', finding: 'mpp', accepts: null })
    expect(afterProbe(unprobed, mpp)).toMatchObject({ state: 'unpayable', fact: { kind: 'mpp' } })
    const tool = [offer({ payable: false, notPayableReason: 'mcp' })]
    const mcp = probe(2_000, { state: 'blocked_before_gate', finding: 'mcp_tools_sold', accepts: tool })
    expect(afterProbe(payable, mcp)).toMatchObject({ state: 'unpayable', fact: { kind: 'mcp', accepts: tool } })
    const elsewhere = [offer({ payable: false, notPayableReason: 'network' })]
    expect(afterProbe(unprobed, probe(2_000, { accepts: elsewhere }))).toMatchObject({
      ...{ state: 'unpayable', fact: { kind: 'x402' } },
    })
  })

  test('behavior: the reason for being unpayable is given in the words of the finding, or of the state', () => {
    const down = probe(2_000, { state: 'timeout', finding: undefined, accepts: null })
    expect(afterProbe(unprobed, down).reason).toBe('Our probe found it to be timeout.')
    const free = probe(2_000, { state: 'open', finding: 'free', accepts: [] })
    expect(afterProbe(payable, free).reason).toMatch(/^\S.+[.!] \S.+\.$/)
  })

  test('behavior: another payee is named next to the known ones', () => {
    const changed = afterProbe(payable, probe(2_000, { accepts: [offer({ payTo: THIRD_PARTY })] }))
    const [known] = termsIn([offer()])
    const [asked] = termsIn([offer({ payTo: THIRD_PARTY })])
    expect(changed.reason).toContain(asked && `be paid by ${termInWords(asked)}, and`)
    expect(changed.reason).toContain(known && `known with ${termInWords(known)}.`)
    expect(changed.stateSince).toBe(2_000)
  })

  test('behavior: ways to pay are kept in the order in which a stock client prefers them', () => {
    const [upfront, plain] = [offer({ amount: '1', extra: { paymentFlow: 'upfront' } }), offer({ amount: '2' })]
    const { fact } = afterProbe(unprobed, probe(1_000, { accepts: [upfront, plain] }))
    expect(fact?.accepts.map(({ amount }) => amount)).toEqual(['2', '1'])
  })

  test('behavior: a reading is kept without extras and with at most 16 ways to pay', () => {
    const many = Array.from({ length: 17 }, (_, at) => offer({ amount: `${at + 1}`, extra: { name: 'x' } } as object))
    const { fact } = afterProbe(unprobed, probe(1_000, { accepts: many }))
    expect(fact?.accepts).toHaveLength(16)
    expect(fact?.accepts[0]).not.toHaveProperty('extra')
    expect(fact).toMatchObject({ kind: 'x402', state: 'ok_402', finding: 'payable', checkedAt: 1_000 })
  })

  test('behavior: a probe that learnt nothing keeps the words, kind and conformance of the previous reading', () => {
    const conformance = { declaredVersion: 2, versionConformant: true, offerTransport: 'header', issues: [] } as never
    const described = { description: 'As it says', metadataEvidence: 'probe' } as never
    const read = afterProbe(unprobed, probe(1_000, { conformance, described }))
    const down = probe(2_000, { state: 'timeout', finding: undefined, accepts: null, conformance: null })
    const { fact } = afterProbe(read, down)
    expect(fact).toMatchObject({ kind: 'x402', state: 'timeout', conformance, described, checkedAt: 2_000 })
    expect(fact).not.toHaveProperty('finding')
    expect(afterProbe(unprobed, down).fact).toMatchObject({ kind: 'plain', accepts: [], conformance: null })
    expect(afterProbe(unprobed, down).fact).not.toHaveProperty('described')
  })

  test('behavior: a suspended row keeps its state and reason, and stores the new reading', () => {
    const suspended = { ...payable, state: 'suspended' as const, reason: 'It changed.', stateSince: 1_500 }
    expect(afterProbe(suspended, probe(2_000))).toMatchObject({
      ...{ state: 'suspended', reason: 'It changed.', stateSince: 1_500, okAt: 1_000, fact: { checkedAt: 2_000 } },
    })
  })

  test('behavior: a probe of the same moment counts', () => {
    expect(afterProbe(payable, probe(1_000, { accepts: [] })).state).toBe('unpayable')
  })

  test('behavior: a stale row that is read again is payable from then on, under its previous terms', () => {
    const stale = { ...payable, state: 'stale' as const, reason: 'It is old.' }
    const back = afterProbe(stale, probe(2_000))
    expect(back).toMatchObject({ state: 'payable', reason: null, stateSince: 2_000, okAt: 2_000 })
    expect(back.terms).toBe(payable.terms)
  })

  test('behavior: an older probe changes nothing', () => {
    expect(afterProbe(payable, probe(999, { accepts: [] }))).toBe(payable)
  })
})

describe('ways to pay', () => {
  test('payableIn: returns those that can be paid by the only scheme supported here', () => {
    const odd = [offer({ payable: false }), offer({ scheme: 'upto' })]
    expect(payableIn([...odd, offer()])).toEqual([offer()])
  })

  test('termsIn: returns each once, whatever its price and letter case', () => {
    const lower = offer({ payTo: offer().payTo.toLowerCase(), amount: '7' })
    const { scheme, network, asset, payTo } = lower
    expect(termsIn([offer(), lower])).toEqual([{ scheme, network, asset, payTo }])
    expect(termsIn([offer(), offer({ payTo: THIRD_PARTY })])).toHaveLength(2)
  })

  test('newTerms: returns none that is known in another letter case', () => {
    const [known] = termsIn([offer()])
    const other = termsIn([offer({ payTo: THIRD_PARTY })])
    const loud = known && { ...known, payTo: known.payTo.toUpperCase() }
    expect(newTerms(termsIn([offer()]), [...(loud ? [loud] : []), ...other])).toEqual(other)
  })

  test('termInWords: names the scheme, the token, the network and the payee', () => {
    const term = { scheme: 'exact', network: 'eip155:8453', asset: '0xa', payTo: '0xb' }
    expect(termInWords(term)).toBe('exact in 0xa on eip155:8453 to 0xb')
  })
})
