import { describe, expect, test } from 'vitest'
import { ModelEntry, UpstreamEntry } from '../domain/model.ts'
import { candidatesFor } from './candidates.ts'
import type { Models } from './model-set.ts'

const upstream = (name: string, shape: 'openai' | 'anthropic' = 'openai') =>
  UpstreamEntry.parse({ name, shape, baseUrl: `https://${name}.example/v1` })
const model = ModelEntry.parse({
  id: 'small',
  ownedBy: 'provider',
  created: 1,
  contextTokens: 100,
  maxOutputTokens: 10,
  capabilities: ['chat', 'messages'],
  price: { version: '1', prompt: '0.000001', completion: '0.000001' },
  upstreams: [
    { upstream: 'one', weight: 3 },
    { upstream: 'two', model: 'small-2026', weight: 1 },
    { upstream: 'three' },
  ],
})
const known = new Map([upstream('one'), upstream('two'), upstream('three', 'anthropic')].map((one) => [one.name, one]))
const models: Models = {
  all: [model],
  upstreams: [...known.values()],
  find: () => model,
  upstreamOf: (name) => known.get(name) as UpstreamEntry,
}
const names = (surface: 'chat' | 'messages') =>
  candidatesFor(models, model, surface).map(({ upstream: { name } }) => name)

describe('the upstreams of a call', () => {
  test('are those of its own shape', () => {
    expect(names('chat').toSorted()).toEqual(['one', 'two'])
    expect(names('messages')).toEqual(['three'])
  })

  test('get the name that each upstream has for the model', () => {
    const there = candidatesFor(models, model, 'chat').map((one) => [one.upstream.name, one.model])
    expect(Object.fromEntries(there)).toEqual({ one: 'small', two: 'small-2026' })
  })

  test('say that the Responses API is asked, which some of them lack', () => {
    const parts = (surface: 'chat' | 'responses') => candidatesFor(models, model, surface).map(({ part }) => part)
    expect(parts('responses')).toEqual(['responses', 'responses'])
    expect(parts('chat')).toEqual([undefined, undefined])
  })

  test.each([1, 1e-9, 1e18])('come first in proportion to their weight, in whatever unit: %d', (unit) => {
    let state = 1
    // Park and Miller's generator: the same draws in every run.
    const random = () => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
    const upstreams = model.upstreams.map((entry) => ({ ...entry, weight: entry.weight * unit }))
    const draw = () => candidatesFor(models, { ...model, upstreams }, 'chat', random)[0]?.upstream.name
    const first = Array.from({ length: 2_000 }, draw)
    const share = first.filter((name) => name === 'one').length / first.length
    expect(share).toBeGreaterThan(0.68)
    expect(share).toBeLessThan(0.82)
  })
})
