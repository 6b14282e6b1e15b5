import { describe, expect, test } from 'vitest'
import { merge, perToken } from './merge.ts'
import type { Priced, Second, Tables } from './tables.ts'

const source = { name: 'first', version: '1.0.0', date: '2026-09-23', license: 'MIT', notice: 'Copyright' }
const second = { ...source, name: 'second' }

/** Two tables of one provider; names are the same in both. */
const tables = (models: Priced[], seconds: Second[] = []): Tables => ({
  ...{ source, second },
  models: (provider) => (provider === 'openai' ? models : []),
  secondModels: (provider) => (provider === 'openai' ? seconds : []),
  idOf: (_provider, name) => name,
})
const model = (prices: Priced['prices'], more: Partial<Priced> = {}): Priced => ({
  ...{ id: 'small', context_window: 1_000, prices },
  ...more,
})

describe('perToken', () => {
  test.each([
    [2.5, '0.0000025'],
    [0.075, '0.000000075'],
    [15, '0.000015'],
    [1_000_000, '1'],
    [12_345_678.9, '12.3456789'],
    [0.003625, '0.000000003625'],
    [0, '0'],
  ])('default: %d dollars per million tokens are %s per token, to the digit', (million, text) => {
    expect(perToken(million)).toBe(text)
  })

  test.each([0.0000001, 0.1234567, -1, Number.NaN])('error: %d is not a price', (million) => {
    expect(perToken(million)).toBeUndefined()
  })
})

describe('merge', () => {
  const prices = { input_mtok: 2, output_mtok: 8, cache_read_mtok: 0.125 }

  test('takes models that both tables confirm, and says so; the second table rounds', () => {
    const seconds = [
      { id: 'small', cost: { input: 2, output: 8, cache_read: 0.13 }, limit: { context: 1_200, output: 400 } },
    ]
    expect(merge(tables([model(prices)], seconds))).toMatchObject({
      models: [
        {
          ...{ id: 'small', provider: 'openai', contextTokens: 1_200, maxOutputTokens: 400, confirmed: true },
          price: { prompt: '0.000002', completion: '0.000008', cacheRead: '0.000000125' },
        },
      ],
      disputed: [],
    })
  })

  test('takes a model that only one table has, and says so', () => {
    const { models } = merge(tables([model(prices)]))
    expect(models).toMatchObject([{ contextTokens: 1_000, confirmed: false }])
    expect(models[0]).not.toHaveProperty('maxOutputTokens')
  })

  test('leaves out models on which the tables disagree, and names them', () => {
    const seconds = [{ id: 'small', cost: { input: 2, output: 10 } }]
    expect(merge(tables([model(prices)], seconds))).toMatchObject({
      models: [],
      disputed: [{ id: 'small', provider: 'openai', field: 'completion', values: [8, 10] }],
    })
  })

  test('takes the price on the day of the table, and the day on which that price ends', () => {
    const from = (start_date: string, input_mtok: number) => ({
      ...{ constraint: { type: 'start_date' as const, start_date } },
      prices: { ...prices, input_mtok },
    })
    const dated = [{ prices }, from('2026-08-01', 3), from('2027-01-01', 4)]
    expect(merge(tables([model(dated)])).models).toMatchObject([{ price: { prompt: '0.000003' }, until: '2027-01-01' }])
  })

  test('takes higher prices for longer prompts, for every kind of token, up to the context length', () => {
    const tiered = {
      ...prices,
      input_mtok: {
        base: 2,
        tiers: [
          { start: 800, price: 6 },
          { start: 500, price: 4 },
        ],
      },
      output_mtok: { base: 8, tiers: [{ start: 800, price: 12 }] },
    }
    expect(merge(tables([model(tiered)])).models).toMatchObject([
      {
        price: {
          ...{ prompt: '0.000002', completion: '0.000008', cacheRead: '0.000000125' },
          tiers: [
            { above: 500, prompt: '0.000004', completion: '0.000008', cacheRead: '0.000000125' },
            { above: 800, prompt: '0.000006', completion: '0.000012', cacheRead: '0.000000125' },
          ],
        },
      },
    ])
    const beyond = { base: 2, tiers: [{ start: 1_000, price: 4 }] }
    expect(merge(tables([model({ ...prices, input_mtok: beyond })])).models[0]?.price).not.toHaveProperty('tiers')
  })

  test('leaves out hourly prices, models without a context, and models billed in other ways', () => {
    const hours = [{ prices }, { constraint: { type: 'time_of_date' as const }, prices }]
    const found = merge(
      tables([
        model(hours, { id: 'by-the-hour' }),
        model(prices, { id: 'no-context', context_window: undefined }),
        model({ ...prices, output_audio_mtok: 3 }, { id: 'speaks' }),
        model(prices, { id: 'gone', deprecated: true }),
        model({ ...prices, web_searches_kcount: 10 }, { id: 'searches' }),
      ]),
    )
    expect(found.models).toMatchObject([{ id: 'searches', unpriced: ['web_searches_kcount'] }])
    expect(found.omitted).toEqual([
      { id: 'by-the-hour', provider: 'openai', why: 'its price depends on the time of day' },
    ])
  })
})
