import type { Challenge, MppChallenge } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { PAY_TO, payableEntry, USDC } from '../../test/offers.ts'
import { probeResult } from './probe-result.ts'

type Offer = Extract<Challenge, { kind: 'x402' }>

const ENDPOINT = new URL('https://api.example/v1/quote?pair=EUR')
const TOKEN = { network: 'eip155:31337', asset: USDC, name: 'USDC', version: '2' } as const

/** An offer with one payable entry. */
const offered = (more: Partial<Offer> = {}): Offer => ({
  kind: 'x402',
  x402Version: 2,
  accepts: [{ ...payableEntry(), network: 'eip155:31337' }],
  payability: [{ payable: true, token: TOKEN, payTo: PAY_TO }],
  unread: [],
  issues: [],
  offerTransport: 'header',
  versionConformant: true,
  mpp: [],
  ...more,
})

function shown(more: Partial<Offer> = {}) {
  const result = probeResult(offered(more), ENDPOINT, 'GET')
  if (result.kind !== 'x402') throw new Error(result.kind)
  return result
}

describe('an offer', () => {
  test('is shown with its operation, its conformance and nothing else', () => {
    expect(shown()).toEqual({
      kind: 'x402',
      x402Version: 2,
      accepts: [{ ...payableEntry(), payable: true, notPayableReason: null }],
      endpoint: 'https://api.example/v1/quote?pair=EUR',
      operations: [
        {
          method: 'GET',
          url: 'https://api.example/v1/quote?pair=EUR',
          name: 'quote',
          metadataEvidence: 'probe',
        },
      ],
      conformance: {
        declaredVersion: 2,
        versionConformant: true,
        offerTransport: 'header',
        issues: ['SCHEMA_INPUT_MISSING', 'SCHEMA_OUTPUT_MISSING'],
      },
      unread: [],
      extensions: {},
      challenges: [],
    })
  })

  test('keeps the declared version, its transport, and each issue once', () => {
    const issues = ['ASSET_UNKNOWN', 'SCHEMA_INPUT_MISSING', 'ASSET_UNKNOWN'] as const
    expect(shown({ x402Version: null, versionConformant: false, offerTransport: 'body', issues }).conformance).toEqual({
      declaredVersion: null,
      versionConformant: false,
      offerTransport: 'body',
      issues: ['ASSET_UNKNOWN', 'SCHEMA_INPUT_MISSING', 'SCHEMA_OUTPUT_MISSING'],
    })
  })
})

describe('a way to pay', () => {
  test('that can be paid names the token and the payee as the chain knows them, and no reason', () => {
    const accepts = [payableEntry({ asset: USDC.toLowerCase(), payTo: PAY_TO.toLowerCase() })] as Offer['accepts']
    expect(shown({ accepts }).accepts).toEqual([
      { ...payableEntry(), asset: USDC, payTo: PAY_TO, payable: true, notPayableReason: null },
    ])
  })

  test('that cannot be paid is shown as it was given, within bounds, and with its reason', () => {
    const given = { scheme: `${'s'.repeat(64)}!`, asset: `${'a'.repeat(128)}!`, payTo: `${'p'.repeat(128)}!` }
    const accepts = [payableEntry({ ...given, network: 'eip155:1' })] as Offer['accepts']
    expect(shown({ accepts, payability: [{ payable: false, reason: 'network' }] }).accepts).toEqual([
      {
        ...payableEntry({ network: 'eip155:1' }),
        scheme: 's'.repeat(64),
        asset: 'a'.repeat(128),
        payTo: 'p'.repeat(128),
        payable: false,
        notPayableReason: 'network',
      },
    ])
  })

  test('has its verdict by its index, and is not shown without one', () => {
    const accepts = [payableEntry({ amount: '1' }), payableEntry({ amount: '2' }), payableEntry({ amount: '3' })]
    const payability: Offer['payability'] = [
      { payable: false, reason: 'timeout' },
      { payable: true, token: TOKEN, payTo: PAY_TO },
    ]
    expect(shown({ accepts: accepts as Offer['accepts'], payability }).accepts).toMatchObject([
      { amount: '1', payable: false, notPayableReason: 'timeout' },
      { amount: '2', payable: true, notPayableReason: null },
    ])
  })

  test('is shown without its extra once all extras together exceed 16 KiB', () => {
    const entry = payableEntry({ extra: { a: 'x'.repeat(2 * 1024 - '{"a":""}'.length) } })
    const entries = Array.from({ length: 10 }, () => entry) as unknown as Offer['accepts']
    const payability = entries.map(() => ({ payable: true, token: TOKEN, payTo: PAY_TO }) as const)
    const { accepts } = shown({ accepts: entries, payability })
    expect(accepts.map(({ extra }) => extra !== undefined)).toEqual(Array.from({ length: 10 }, (_, at) => at < 8))
  })

  test('has its extra up to 2 KiB, and none if it gave none', () => {
    const extraOf = (extra: unknown) => shown({ accepts: [payableEntry({ extra })] as Offer['accepts'] }).accepts[0]
    const room = 2_048 - '{"a":""}'.length
    expect(extraOf({ a: 'x'.repeat(room) })).toHaveProperty('extra', { a: 'x'.repeat(room) })
    expect(extraOf({ a: 'x'.repeat(room + 1) })).not.toHaveProperty('extra')
    expect(extraOf(undefined)).not.toHaveProperty('extra')
  })
})

describe('what is shown next to the ways to pay', () => {
  test('an unreadable entry is shown up to 1 KiB, and beyond that only by its index', () => {
    const issue = 'X402_ACCEPT_ENTRY_INVALID'
    const members: string[] = []
    const room = 1_024 - '{"given":""}'.length
    const [fits, long] = ['x'.repeat(room), 'x'.repeat(room + 1)]
    const unread = [
      { index: 1, issue, members, given: fits },
      { index: 3, issue, members, given: long },
      { index: 4, issue, members, given: { a: '\u0000' } },
    ] as const
    expect(shown({ unread }).unread).toEqual([
      { index: 1, issue, entry: fits },
      { index: 3, issue },
      { index: 4, issue },
    ])
  })

  test('an extension is shown up to 4 KiB, and is empty beyond that', () => {
    const room = 4_096 - '{"extension":""}'.length
    const extensions = { fits: 'x'.repeat(room), long: 'x'.repeat(room + 1) } as unknown as Offer['extensions']
    expect(shown({ extensions }).extensions).toEqual({ fits: 'x'.repeat(room), long: {} })
  })

  test('the first 16 extensions are shown, with names of up to 80 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`e${index}`, { index }]))
    const { extensions } = shown({ extensions: many })
    expect(Object.keys(extensions)).toHaveLength(16)
    expect(extensions).toHaveProperty('e15', { index: 15 })
    expect(Object.keys(shown({ extensions: { ['n'.repeat(81)]: {} } }).extensions)).toEqual(['n'.repeat(80)])
  })

  const challenge: MppChallenge = { id: 'a', realm: 'r', method: 'tempo', intent: 'charge', request: { amount: '1' } }

  test('up to 16 challenges of the machine payments protocol are shown', () => {
    expect(shown({ mpp: [challenge] }).challenges).toEqual([challenge])
    expect(shown({ mpp: Array(17).fill(challenge) }).challenges).toHaveLength(16)
  })

  test('the first of these challenges describes the operation if the offer does not', () => {
    const mpp = [{ ...challenge, description: 'By MPP' }, challenge]
    const resource = { url: ENDPOINT.href, description: 'By x402' }
    expect(shown({ mpp, resource }).operations[0]?.description).toBe('By x402')
    expect(shown({ mpp, resource: { ...resource, description: '' } }).operations[0]?.description).toBe('By MPP')
    expect(shown({ mpp }).operations[0]?.description).toBe('By MPP')
    expect(shown({ mpp: [challenge, ...mpp] }).operations[0]).not.toHaveProperty('description')
  })
})
