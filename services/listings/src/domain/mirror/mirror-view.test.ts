import type { ShownOffer } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { isShownAlike, mirrorSnapshot } from './mirror-view.ts'
import type { Mirrored, MirrorFact } from './mirrored.ts'

const [ASSET, PAYEE] = [
  '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
] as const
const offer = (more: Partial<ShownOffer> = {}): ShownOffer => ({
  ...{
    scheme: 'exact',
    network: 'eip155:8453',
    asset: ASSET.toLowerCase(),
    amount: '12500',
    payTo: PAYEE.toLowerCase(),
  },
  ...{ payable: true, notPayableReason: null },
  ...more,
})
const fact = (more: Partial<MirrorFact> = {}): MirrorFact => ({
  ...{ kind: 'x402', state: 'ok_402', accepts: [offer()], conformance: null, checkedAt: 5_000 },
  ...more,
})
const row = (more: Partial<Mirrored> = {}): Mirrored => ({
  ...{ slug: 'tides', version: 7, method: 'GET', url: 'https://a.example/v1/tides/?q=1', claimSource: 'one' },
  claim: { title: 'Tides', description: 'As claimed', category: 'ai', offers: [] },
  ...{ fact: fact(), terms: null, state: 'payable', stateSince: 0, reason: null, okAt: null },
  ...{ owner: null, ownedSince: null, createdAt: 1_000, updatedAt: 2_000, unnamedSince: null },
  ...more,
})
const operationOf = (one: Mirrored) => mirrorSnapshot(one).operations[0]
const unpaid = { payment: null, price: null }

describe('mirrorSnapshot', () => {
  test('default: combines the source’s words with what our probe read', () => {
    expect(mirrorSnapshot(row())).toStrictEqual({
      ...{ slug: 'tides', version: 7, name: 'Tides', description: 'As claimed', category: 'ai' },
      ...{ status: 'live', verification: 'none', group: 'external', provenance: 'indexed' },
      fee: { bps: 0, label: 'No network fee' },
      operations: [
        {
          ...{ name: 'tides', method: 'GET', url: 'https://a.example/v1/tides/?q=1', description: '' },
          ...{ describedBy: 'endpoint', metadataEvidence: 'none', price: '0.0125' },
          payment: {
            ...{ scheme: 'exact', network: 'eip155:8453', asset: ASSET, payTo: PAYEE, amount: '12500' },
            checkedAt: '1970-01-01T00:00:05.000Z',
          },
        },
      ],
      payTo: [{ network: 'eip155:8453', address: PAYEE }],
      conformance: null,
      createdAt: '1970-01-01T00:00:01.000Z',
      listedAt: '1970-01-01T00:00:01.000Z',
      updatedAt: '1970-01-01T00:00:02.000Z',
    })
  })

  test('behavior: the owner’s words take precedence over the resource’s, and those over the source’s', () => {
    const described = { description: 'As it says', metadataEvidence: 'probe' } as MirrorFact['described']
    const read = row({ fact: fact({ described }) })
    expect(mirrorSnapshot(read).description).toBe('As it says')
    expect(operationOf(read)).toMatchObject({ description: 'As it says', metadataEvidence: 'probe' })
    const silent = row({ fact: fact({ described: { description: '', metadataEvidence: 'probe' } as never }) })
    expect(mirrorSnapshot(silent).description).toBe('As claimed')
    const held = { name: 'Mine', description: '', status: 'live', verification: 'none' } as Mirrored['held']
    expect(mirrorSnapshot({ ...read, held })).toMatchObject({ name: 'Mine', description: '' })
  })

  test('behavior: a schema is the one that was read, else the claimed one', () => {
    const [input, output, claimed] = [{ a: 1 }, { b: 1 }, { c: 1 }]
    const claim = { ...row().claim, inputSchema: claimed }
    const described = { description: '', metadataEvidence: 'probe', inputSchema: input, outputSchema: output } as never
    expect(operationOf(row({ claim }))).toMatchObject({ inputSchema: claimed })
    expect(operationOf(row({ claim, fact: fact({ described }) }))).toMatchObject({
      ...{ inputSchema: input, outputSchema: output },
    })
    const { inputSchema: _, ...rest } = operationOf(row({ claim })) ?? {}
    expect(rest).not.toHaveProperty('outputSchema')
  })

  test('behavior: of several ways to pay, the one counts that a stock client pays, and not the cheapest', () => {
    const accepts = [
      offer({ amount: '1', payable: false }),
      offer({ amount: '2', scheme: 'upto' }),
      offer({ amount: '100000' }),
      offer({ amount: '20000' }),
    ]
    expect(operationOf(row({ fact: fact({ accepts }) }))?.price).toBe('0.1')
    expect(operationOf(row({ fact: fact({ accepts: accepts.toReversed() }) }))?.price).toBe('0.02')
  })

  test.each<[string, Partial<Mirrored>]>([
    ['never read', { fact: null, state: 'unprobed' }],
    ['read without a way to pay', { fact: fact({ accepts: [] }) }],
    ['no longer payable', { state: 'stale' }],
  ])('behavior: a row that is %s has no price and no payee', (_what, more) => {
    expect(mirrorSnapshot(row(more))).toMatchObject({ payTo: [], operations: [unpaid] })
  })

  test('behavior: the reason for being unpayable is shown at its operation, if there is one', () => {
    expect(operationOf(row({ reason: 'It answered 500.' }))).toHaveProperty('problem', 'It answered 500.')
    expect(operationOf(row())).not.toHaveProperty('problem')
  })

  test('behavior: conformance is taken from the reading', () => {
    const conformance = { declaredVersion: 2, versionConformant: true, offerTransport: 'header', issues: [] } as const
    expect(mirrorSnapshot(row({ fact: fact({ conformance: { ...conformance, issues: [] } }) })).conformance).toEqual(
      conformance,
    )
    expect(mirrorSnapshot(row({ fact: null })).conformance).toBeNull()
  })

  test.each([
    ['https://a.example/v1/tides//', 'tides'],
    ['https://a.example:8443/', 'a.example:8443'],
    [`https://a.example/${'x'.repeat(81)}`, 'x'.repeat(80)],
  ])('behavior: the operation of %s is named by the last part of its path, or its host', (url, name) => {
    expect(operationOf(row({ url }))?.name).toBe(name)
  })
})

describe('isShownAlike', () => {
  test('behavior: another reading, version or time of the same content is shown alike', () => {
    const newer = row({ version: 8, updatedAt: 9_000, fact: fact({ checkedAt: 9_000 }) })
    expect(isShownAlike(row(), newer)).toBe(true)
  })

  test('behavior: another price, state, text or starting day is not shown alike', () => {
    const others = [
      row({ fact: fact({ accepts: [offer({ amount: '1' })] }) }),
      ...[row({ state: 'stale' }), row({ createdAt: 1 }), row({ reason: 'It answered 500.' })],
      row({ claim: { ...row().claim, title: 'Other' } }),
    ]
    expect(others.map((other) => isShownAlike(row(), other))).toEqual(Array(5).fill(false))
  })
})
