import { describe, expect, test } from 'vitest'
import { ModelEntry } from '../domain/model.ts'
import { PUBLIC_MODELS, PUBLIC_PRICE_VERSION, type PublicModel } from '../domain/public-models.ts'
import { priceNotes } from './price-notes.ts'

const { models } = PUBLIC_MODELS
const isAlone = ({ id }: PublicModel) => models.filter((other) => other.id === id).length === 1
const anyWith = (has: (model: PublicModel) => unknown) => models.find((one) => isAlone(one) && has(one)) as PublicModel

/** An entry that sells a public model under another id. */
const entry = ({ id, price, contextTokens }: PublicModel, more: object = {}) =>
  ModelEntry.parse({
    ...{ id: 'ours', ownedBy: 'provider', created: 1, contextTokens, maxOutputTokens: 10, capabilities: ['chat'] },
    ...{ price: { version: '1', ...price }, upstreams: [{ upstream: 'provider', model: id }] },
    ...more,
  })

describe('priceNotes', () => {
  test('default: notes nothing about a price that is the public one, or a model in no table', () => {
    const plain = anyWith(({ unpriced, until }) => !unpriced && !until)
    expect(priceNotes(entry(plain), '2026-11-23')).toEqual([])
    expect(
      priceNotes(entry({ ...plain, id: 'no-such-model', price: { prompt: '1', completion: '1' } }), '2026-11-23'),
    ).toEqual([])
  })

  test('behavior: notes which kind of token costs less or more, and by which table', () => {
    const cached = anyWith(({ price }) => price.cacheRead)
    const price = { version: '1', ...cached.price, prompt: '0.9', completion: '0', cacheRead: undefined }
    expect(priceNotes(entry(cached, { price }), '2026-11-23')).toEqual(
      expect.arrayContaining([
        `ours: prompt 0.9 is more than the public ${cached.price.prompt} (${PUBLIC_PRICE_VERSION})`,
        `ours: completion 0 is less than the public ${cached.price.completion} (${PUBLIC_PRICE_VERSION})`,
        `ours: cacheRead 0.9 is more than the public ${cached.price.cacheRead} (${PUBLIC_PRICE_VERSION})`,
      ]),
    )
  })

  test('behavior: notes when the public price ends, and when it has ended', () => {
    const ending = anyWith(({ until }) => until)
    const { until = '' } = ending
    expect(priceNotes(entry(ending), '2026-09-23')).toContain(`ours: the public price ends on ${until}`)
    expect(priceNotes(entry(ending), until)).toContain(`ours: the public price ended on ${until}`)
  })

  test('behavior: notes where longer prompts cost less than the provider charges, within the context', () => {
    const tiered = anyWith(({ price, unpriced, until }) => price.tiers && !unpriced && !until)
    const { tiers: [tier] = [], ...flat } = tiered.price
    if (!tier) throw new Error('no public model has tiers')
    const price = { version: '1', ...flat }
    expect(priceNotes(entry(tiered), '2026-11-23')).toEqual([])
    expect(priceNotes(entry(tiered, { price }), '2026-11-23')).toContain(
      `ours: prompt ${flat.prompt} above ${tier.above} input tokens is less than the public ${tier.prompt} (${PUBLIC_PRICE_VERSION})`,
    )
    expect(priceNotes(entry(tiered, { price, contextTokens: tier.above }), '2026-11-23')).toEqual([])
  })
})
