import { describe, expect, test } from 'vitest'
import { faultText, readModels } from './model.ts'
import {
  findPublic,
  PUBLIC_MODELS,
  PUBLIC_PRICE_VERSION,
  type PublicModel,
  PublicModels,
  withPublicPrice,
} from './public-models.ts'

const { models, disputed, omitted, source, second } = PUBLIC_MODELS
const nameOf = ({ provider, id }: { provider: string; id: string }) => `${provider}/${id}`
const anyWith = (has: (model: PublicModel) => unknown) => models.find(has) as PublicModel

describe('the public models', () => {
  test('come from two tables, each with its version, date and licence', () => {
    for (const { version, date, license, notice } of [source, second]) {
      expect([version, date, license, notice]).toEqual([
        expect.stringMatching(/^\d+\.\d+\.\d+$/),
        expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        'MIT',
        expect.stringMatching(/^Copyright/),
      ])
    }
    expect(source.name).not.toBe(second.name)
    expect(PUBLIC_PRICE_VERSION).toMatch(/^[a-z-]+@\d+\.\d+\.\d+\/20\d\d-\d\d-\d\d$/)
  })

  test('include some of each big provider, each once, and none on whose price the tables disagree', () => {
    const names = models.map(nameOf)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(50)
    for (const provider of ['openai', 'anthropic', 'google', 'mistral']) {
      expect(models.filter((model) => model.provider === provider).length, provider).toBeGreaterThan(5)
    }
    expect(models.filter((model) => model.confirmed).length).toBeGreaterThan(20)
    const left = new Set([...disputed, ...omitted].map(nameOf))
    expect(names.filter((name) => left.has(name))).toEqual([])
  })

  test('cost something to ask, and less than a thousandth of a dollar per token', () => {
    for (const { price: sold, ...model } of models) {
      const { tiers = [], ...price } = sold
      for (const { above: _, ...tier } of tiers) {
        for (const text of Object.values(tier)) expect(Number(text), nameOf(model)).toBeLessThan(0.001)
        expect(Number(tier.prompt), nameOf(model)).toBeGreaterThan(Number(price.prompt))
      }
      expect(Number(price.prompt), nameOf(model)).toBeGreaterThan(0)
      for (const text of Object.values(price)) expect(Number(text), nameOf(model)).toBeLessThan(0.001)
      expect(Number(price.cacheRead ?? 0), nameOf(model)).toBeLessThanOrEqual(Number(price.prompt))
    }
  })
})

describe('PublicModels', () => {
  const [model] = models
  const file = { source, second, models: [model], disputed, omitted }
  const takes = (part: object) => PublicModels.safeParse({ ...file, ...part }).success
  const takesModel = (part: object) => takes({ models: [{ ...model, ...part }] })

  test('default: a valid file is read', () => {
    expect(takes({})).toBe(true)
    expect(takesModel({ maxOutputTokens: 1, until: '2026-12-01', unpriced: ['searches'], confirmed: false })).toBe(true)
  })

  test.each([
    ['another licence', { source: { ...source, license: 'GPL' } }],
    ['a source with a member more', { source: { ...source, more: 1 } }],
    ['a day that is none', { second: { ...second, date: 'yesterday' } }],
    ['a member more', { more: 1 }],
    ['a dispute of one value', { disputed: [{ ...disputed[0], values: [1] }] }],
    ['a dispute with a member more', { disputed: [{ ...disputed[0], more: 1 }] }],
    ['an omission without a reason', { omitted: [{ id: 'a', provider: 'b' }] }],
    ['an omission with a member more', { omitted: [{ ...omitted[0], more: 1 }] }],
  ])('error: %s', (_what, part) => expect(takes(part)).toBe(false))

  test.each([
    ['no context', { contextTokens: 0 }],
    ['half a token', { maxOutputTokens: 0.5 }],
    ['a price with a version of its own', { price: { version: '1', prompt: '1', completion: '1' } }],
    ['a day that is none', { until: 'soon' }],
    ['what is billed apart without a name', { unpriced: [7] }],
    ['a member more', { more: 1 }],
  ])('error: a model with %s', (_what, part) => expect(takesModel(part)).toBe(false))
})

describe('findPublic', () => {
  test('default: finds a model by its id, or by its provider and id', () => {
    const known = anyWith(() => true)
    expect([findPublic(known.id), findPublic(nameOf(known))]).toEqual([known, known])
  })

  test('behavior: a name that only resembles one is in no table', () => {
    for (const name of ['', 'openai', 'openai/', `x${anyWith(() => true).id}`]) {
      expect(findPublic(name)).toBe(`has no public price: no table has ${name}`)
    }
  })

  test('behavior: an omitted model says why it is omitted, even by its id alone', () => {
    expect(findPublic(omitted[0]?.id ?? '')).toBe(`has no public price: ${omitted[0]?.why}`)
    expect(findPublic(disputed[0]?.id ?? '')).toMatch(/^has no public price: the tables disagree on /)
  })
})

describe('withPublicPrice', () => {
  const known = anyWith(({ maxOutputTokens }) => maxOutputTokens)
  const unbounded = anyWith(({ maxOutputTokens }) => !maxOutputTokens)
  const version = PUBLIC_PRICE_VERSION

  test('default: the row, and the table’s context and length where the entry has none', () => {
    const { contextTokens, maxOutputTokens, price } = known
    const row = { version, ...price }
    expect(withPublicPrice({ id: known.id, price: 'public' })).toEqual({
      value: { id: known.id, contextTokens, maxOutputTokens, price: row },
    })
    expect(withPublicPrice({ id: 'mine', maxOutputTokens: 7, price: { public: nameOf(known) } })).toEqual({
      value: { id: 'mine', contextTokens, maxOutputTokens: 7, price: row },
    })
  })

  test('behavior: a length that no table has is not invented', () => {
    expect(withPublicPrice({ id: unbounded.id, price: 'public' })).toHaveProperty('value.contextTokens')
    const read = withPublicPrice({ id: unbounded.id, price: 'public' })
    expect('value' in read && Object.keys(read.value as object)).not.toContain('maxOutputTokens')
  })

  test.each([
    ...[undefined, null, 7, 'public', ['public'], {}, { id: 'x' }, { id: 'x', price: 'private' }],
    ...[
      { price: 7 },
      { price: null },
      { price: {} },
      { price: { prompt: '1' } },
      { price: { public: 'x', prompt: '1' } },
    ],
  ])('behavior: %j stays unchanged', (value) => {
    const read = withPublicPrice(value)
    expect('value' in read && read.value).toBe(value)
  })

  test('error: a name in no table is a fault of the price, and so is a public price in an entry without an id', () => {
    const fault = (name: string) => ({
      fault: { path: ['price'], message: `has no public price: no table has ${name}` },
    })
    expect(withPublicPrice({ id: 'no-such', price: 'public' })).toEqual(fault('no-such'))
    expect(withPublicPrice({ price: 'public' })).toEqual(fault(''))
    expect(withPublicPrice({ price: { public: 7 } })).toEqual(fault('7'))
  })
})

const UPSTREAM = { name: 'first', baseUrl: 'https://models.example/v1', shape: 'openai' }
const MODEL = { id: 'small', ownedBy: 'example', created: 1_790_000_000, maxOutputTokens: 4_096 }
function read(part: object) {
  const models = [{ ...MODEL, capabilities: ['chat'], upstreams: [{ upstream: 'first' }], ...part }]
  const result = readModels({ upstreams: [UPSTREAM], models })
  return result.ok ? result : { ok: false, faults: result.faults.map(faultText) }
}

describe('a model that is sold at its public price', () => {
  test('has the price row of the table, named by its source, and the context of the model', () => {
    const known = anyWith(({ price }) => !price.tiers)
    const sold = read({ price: { public: nameOf(known) } })
    expect(sold).toMatchObject({
      ok: true,
      models: {
        models: [{ contextTokens: known.contextTokens, price: { version: PUBLIC_PRICE_VERSION, ...known.price } }],
      },
    })
  })

  test('is found by its own id when only one provider has it, and keeps what its entry says', () => {
    const known = anyWith(({ id }) => models.filter((other) => other.id === id).length === 1)
    expect(read({ id: known.id, price: 'public', contextTokens: 1_000 })).toMatchObject({
      models: { models: [{ id: known.id, contextTokens: 1_000, maxOutputTokens: 4_096, price: known.price }] },
    })
  })

  test('is sold with its whole context, at what its provider charges for longer prompts', () => {
    const tiered = anyWith(({ price }) => price.tiers)
    const { contextTokens, price } = tiered
    expect(price.tiers?.[0]?.above).toBeLessThan(contextTokens)
    expect(read({ price: { public: nameOf(tiered) } })).toMatchObject({
      models: { models: [{ contextTokens, price: { tiers: price.tiers } }] },
    })
  })

  test.each([
    ['no table has', { public: 'no-such-model' }, 'no table has no-such-model'],
    ['the tables disagree on', { public: disputed.map(nameOf)[0] }, 'the tables disagree on'],
    ['is priced by the hour', { public: omitted.map(nameOf)[0] }, 'its price depends on the time of day'],
  ])('is refused when %s it', (_name, price, reason) => {
    expect(read({ price })).toMatchObject({
      ok: false,
      faults: [expect.stringContaining(`models.0.price: has no public price: ${reason}`)],
    })
  })

  test('is refused with the names of its providers when there are several', () => {
    const twice = models.find(({ id }, at) => models.some((other, place) => place > at && other.id === id))
    if (twice) expect(findPublic(twice.id)).toContain(`is one of ${nameOf(twice)}`)
  })

  test.each([
    ['no price', {}, 'models.0.price: is missing'],
    ['a public price and one of its own', { price: { public: 'x', prompt: '1' } }, /^models\.0\.price/],
  ])('is refused with %s', (_name, part, fault) => {
    expect(read({ contextTokens: 8_192, ...part })).toMatchObject({
      ok: false,
      faults: expect.arrayContaining([typeof fault === 'string' ? fault : expect.stringMatching(fault)]),
    })
  })
})
