import { describe, expect, test } from 'vitest'
import { ARC_TOKEN, BASE_TOKEN, REQUIREMENTS, THIRD_PARTY, TOKENS } from '../../test/vectors.ts'
import { V1_NETWORKS } from '../messages/v1-networks.ts'
import { chosenByStockClient, inOrderOfChoice, unless } from './stock-client.ts'

const CONTEXT = { networks: V1_NETWORKS, tokens: TOKENS }
const entry = (more: object = {}) => ({ ...REQUIREMENTS, ...more })
const flow = (paymentFlow: unknown) => entry({ extra: { ...REQUIREMENTS.extra, paymentFlow } })
const chosen = (...accepts: unknown[]) => chosenByStockClient(accepts, 2, CONTEXT)
const chosenV1 = (...accepts: unknown[]) => chosenByStockClient(accepts, 1, CONTEXT)

describe('inOrderOfChoice', () => {
  test('default: keeps the order of an offer, with authorizations before other flows', () => {
    const [plain, none, upfront, escrow] = [entry(), flow(null), flow('upfront'), flow('escrow')]
    expect(inOrderOfChoice([upfront, plain, escrow, none])).toEqual([plain, none, upfront, escrow])
  })
})

describe('unless', () => {
  test('default: an otherwise payable entry becomes unpayable', () => {
    const payable = { payable: true, token: BASE_TOKEN, payTo: THIRD_PARTY } as const
    expect(unless(payable, 'transport')).toEqual({ payable: false, reason: 'transport' })
  })

  test('behavior: an entry with its own fault keeps that reason', () => {
    const unpayable = { payable: false, reason: 'amount' } as const
    expect(unless(unpayable, 'transport')).toBe(unpayable)
  })
})

describe('chosenByStockClient', () => {
  test('default: chooses the first entry of a known token, whatever precedes it', () => {
    expect(chosen(entry())).toBe(0)
    expect(
      chosen(entry({ scheme: 'upto' }), entry({ asset: THIRD_PARTY }), entry({ network: 'eip155:1' }), entry()),
    ).toBe(3)
    expect(chosen(entry(), entry())).toBe(0)
  })

  test('behavior: accepts the token in any letter case', () => {
    expect(chosen(entry({ asset: REQUIREMENTS.asset.toLowerCase() }))).toBe(0)
    const tokens = [{ ...BASE_TOKEN, asset: REQUIREMENTS.asset.toLowerCase() as typeof BASE_TOKEN.asset }]
    expect(chosenByStockClient([entry()], 2, { ...CONTEXT, tokens })).toBe(0)
  })

  test('behavior: both of two tokens served on a network are known', () => {
    const tokens = [BASE_TOKEN, { ...BASE_TOKEN, asset: THIRD_PARTY }]
    for (const { asset } of tokens) {
      expect(chosenByStockClient([entry({ asset })], 2, { ...CONTEXT, tokens })).toBe(0)
    }
  })

  test.each([undefined, null, 'authorization'])('behavior: the flow %s takes precedence over others', (before) => {
    expect(chosen(flow('upfront'), flow('escrow'), flow(before))).toBe(2)
  })

  test('behavior: chooses another known flow where there is none of these, and never an unknown one', () => {
    expect(chosen(flow('later'), flow('escrow'), flow('upfront'))).toBe(1)
    expect(chosen(flow('later'))).toBeUndefined()
  })

  test.each<[unknown]>([[undefined], [8453], [{}], [{ toString: 0 }]])(
    'behavior: a network that is no text is unknown: %o',
    (network) => {
      expect([chosen(entry({ network }), entry()), chosenV1(entry({ network }))]).toEqual([1, undefined])
    },
  )

  test('behavior: ignores whether the entry can be paid', () => {
    expect(chosen(entry({ amount: '0', payTo: 'me' }), entry())).toBe(0)
    expect(chosen(entry({ extra: 'USDC' }))).toBe(0)
    expect(chosen(entry({ extra: undefined }))).toBe(0)
  })

  test('behavior: version 1 names its networks, and version 2 writes CAIP-2', () => {
    expect([chosenV1(entry({ network: 'base' })), chosenV1(entry())]).toEqual([0, undefined])
    expect([chosen(entry({ network: 'base' })), chosen(entry())]).toEqual([undefined, 0])
    expect(chosenV1(entry({ network: 'arc', asset: ARC_TOKEN.asset }))).toBeUndefined()
  })

  test('behavior: fails on a null entry before it chooses any', () => {
    expect(chosen(entry(), null)).toBeUndefined()
  })

  test.each([
    ['text', 'exact'],
    ['a list', [entry()]],
    ['undefined', undefined],
    ['no asset', entry({ asset: undefined })],
    ['an asset that is a number', entry({ asset: 7 })],
  ])('behavior: skips an entry that is or has %s', (_, odd) => {
    expect(chosen(odd)).toBeUndefined()
    expect(chosen(odd, entry())).toBe(1)
  })

  test('behavior: never chooses a token on a chain that is not EVM', () => {
    const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const tokens = [{ ...BASE_TOKEN, network }] as const
    expect(chosenByStockClient([entry({ network })], 2, { ...CONTEXT, tokens })).toBeUndefined()
  })
})
