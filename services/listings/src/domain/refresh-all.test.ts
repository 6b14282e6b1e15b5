import { describe, expect, test } from 'vitest'
import { conformant, listing, noOffer, offer, operation, report, THIRD_PARTY, terms } from '../../test/held-listing.ts'
import { operationKey } from './listing.ts'
import { mergedConformance, refreshAll } from './refresh.ts'

const history = { ...operation, name: 'History', url: 'https://api.example/history' }
const both = { ...listing, operations: [operation, history], conformances: {} }
const foreign = offer({ payTo: THIRD_PARTY })

describe('refreshAll', () => {
  test('default: nothing changes if every endpoint asks for the same as before', () => {
    const probed = both.operations.map((one) => ({ operation: one, report: report() }))
    const known = {
      ...both,
      conformances: { [operationKey(operation)]: conformant, [operationKey(history)]: conformant },
    }
    const { changed, avoids, listing: after } = refreshAll(known, probed, terms)
    expect({ changed, avoids }).toEqual({ changed: false, avoids: undefined })
    expect(after.conformances).toEqual(known.conformances)
  })

  test('behavior: an endpoint that gave no challenge keeps what was recorded', () => {
    const probed = [{ operation, report: noOffer('timeout') }]
    expect(refreshAll(listing, probed, terms)).toMatchObject({
      changed: false,
      listing: { operations: [operation], conformances: listing.conformances },
    })
    expect(refreshAll(listing, [], terms)).toMatchObject({ changed: false })
  })

  test('behavior: an endpoint that no longer charges is unpaid, and says so in the probe’s words', () => {
    const probed = [{ operation, report: noOffer('open', 'It is free.', 'Ask for payment.') }]
    expect(refreshAll(listing, probed, terms)).toMatchObject({
      changed: true,
      listing: {
        operations: [{ price: null, payment: null, problem: 'It is free. Ask for payment.' }],
        conformances: listing.conformances,
      },
    })
  })

  test('behavior: a sound offer that avoids the splitter is explained in the listing’s own words', () => {
    const { listing: after } = refreshAll(listing, [{ operation, report: report([foreign]) }], terms)
    expect(after.operations[0]?.problem).toMatch(/^It offers no payable x402 exact payment/)
  })

  test('behavior: what each endpoint asks and says is kept, whichever of them changed', () => {
    const changes = [
      { operation, report: report([offer({ amount: '20000' })]) },
      {
        operation: history,
        report: report([offer()], {}, { metadataEvidence: 'bazaar', inputSchema: { type: 'object' } }),
      },
    ]
    for (const probed of [changes, changes.toReversed()]) {
      expect(refreshAll(both, probed, terms)).toMatchObject({
        changed: true,
        listing: {
          operations: [{ price: '0.02' }, { price: '0.01', inputSchema: { type: 'object' } }],
          conformances: { [operationKey(operation)]: conformant, [operationKey(history)]: conformant },
        },
      })
    }
  })

  test('behavior: a change of one endpoint counts, even if the next has none', () => {
    const probed = [
      { operation, report: report([offer({ amount: '20000' })]) },
      { operation: history, report: noOffer('open') },
      { operation: history, report: noOffer('open') },
    ]
    expect(refreshAll(both, probed, terms).changed).toBe(true)
  })

  test('behavior: the first endpoint that avoids the splitter says why the listing may not stay live', () => {
    const probed = [
      { operation: { ...operation, url: 'https://api.example/other' }, report: noOffer('timeout') },
      { operation, report: report([offer(), foreign]) },
      { operation: history, report: report([offer(), foreign]) },
    ]
    expect(refreshAll(both, probed, terms).avoids).toMatch(/^GET https:\/\/api\.example\/quote: /)
    expect(refreshAll(both, probed.toReversed(), terms).avoids).toMatch(/^GET https:\/\/api\.example\/history: /)
    expect(refreshAll(both, [...probed, { operation: history, report: report() }], terms).avoids).toMatch(/quote: /)
  })
})

describe('mergedConformance', () => {
  test('default: is null while nothing was read', () => {
    expect(mergedConformance({})).toBeNull()
  })

  test('behavior: conforms only if all do, and has the issues of all, each once and in order', () => {
    const bad = { ...conformant, versionConformant: false, issues: ['C', 'B', 'A'] }
    const also = { ...conformant, issues: ['D', 'B'] }
    expect(mergedConformance({ 'GET a': conformant, 'GET b': bad, 'GET c': also })).toEqual({
      ...conformant,
      versionConformant: false,
      issues: ['A', 'B', 'C', 'D'],
    })
    expect(mergedConformance({ 'GET a': conformant, 'GET c': also })?.versionConformant).toBe(true)
  })

  test('behavior: version and transport are those of the first by name, in whatever order they were read', () => {
    const older = { ...conformant, declaredVersion: 1, offerTransport: 'body' } as const
    const first = { declaredVersion: 2, offerTransport: 'header' }
    expect(mergedConformance({ 'GET b': older, 'GET a': conformant })).toMatchObject(first)
    expect(mergedConformance({ 'GET a': conformant, 'GET b': older })).toMatchObject(first)
  })
})
