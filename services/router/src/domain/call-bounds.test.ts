import { describe, expect, test } from 'vitest'
import { boundsOfCall, longestFor } from './call-bounds.ts'
import type { ModelEntry } from './model.ts'
import type { ModelRequest } from './request.ts'

/** An input token costs 1,000 nano-USD, an output token 10,000. */
const PRICE = { version: '1', prompt: '0.000001', completion: '0.00001' }
const MODEL: ModelEntry = {
  ...{ id: 'small', ownedBy: 'example', created: 0, contextTokens: 100_000, maxOutputTokens: 4_000, imageTokens: 500 },
  ...{ capabilities: ['chat'], price: PRICE, upstreams: [{ upstream: 'first', weight: 1 }] },
}
const REQUEST: ModelRequest = {
  ...{ model: 'small', stream: false, wantsUsage: false, maxOutput: undefined, choices: 1, texts: 1 },
  ...{ longestRead: Number.POSITIVE_INFINITY, images: 0, hasFiles: false, fileUnits: 0, addedTokens: 0 },
}
const bounds = (request: Partial<ModelRequest> = {}, surface: 'chat' | 'embeddings' = 'chat', bytes = 801) =>
  boundsOfCall(surface, { ...REQUEST, ...request }, MODEL, bytes)

describe('boundsOfCall', () => {
  test('default: without a requested length, one token must be affordable, and at most the longest answer is paid', () => {
    expect(bounds()).toMatchObject({
      ...{ inputTokens: 801, longest: 4_000, isShortened: true },
      ...{ least: 811_000n, most: 40_801_000n, expectedTokens: 201 + 1_000 },
    })
  })

  test('default: a requested length is granted in full or refused', () => {
    expect(bounds({ maxOutput: 300 })).toMatchObject({
      ...{ longest: 300, isShortened: false, least: 3_801_000n, most: 3_801_000n, expectedTokens: 201 + 300 },
    })
    expect(bounds({ maxOutput: 2_000 }).expectedTokens).toBe(201 + 2_000)
  })

  test('behavior: no answer is longer than the model’s longest', () => {
    expect(bounds({ maxOutput: 4_001 })).toMatchObject({ longest: 4_000, isShortened: false })
  })

  test('behavior: no answer is longer than what is read of it', () => {
    expect(bounds({ maxOutput: 3_001, longestRead: 3_000 })).toMatchObject({ longest: 3_000, isShortened: false })
    expect(bounds({ longestRead: 3_000 })).toMatchObject({ longest: 3_000, isShortened: true })
    expect(bounds({ maxOutput: 2_999, longestRead: 3_000 }).longest).toBe(2_999)
  })

  test('behavior: a model whose longest answer is below the usual one is expected to give its longest', () => {
    const request = { ...REQUEST, choices: 2 }
    expect(boundsOfCall('chat', request, { ...MODEL, maxOutputTokens: 50 }, 8).expectedTokens).toBe(2 + 100)
  })

  test('behavior: every choice counts towards the hold and the expected tokens', () => {
    expect(bounds({ maxOutput: 300, choices: 3 })).toMatchObject({ most: 9_801_000n, expectedTokens: 201 + 900 })
  })

  test('behavior: images and what the provider adds count as input tokens', () => {
    expect(bounds({ images: 2, addedTokens: 1_000 })).toMatchObject({ inputTokens: 2_801, expectedTokens: 701 + 1_000 })
  })

  test('behavior: a file holds the whole context, and is estimated by its length', () => {
    expect(bounds({ hasFiles: true, fileUnits: 16_000 })).toMatchObject({ inputTokens: 100_000, mediaTokens: 1_000 })
    expect(bounds({ images: 1 })).toMatchObject({ inputTokens: 1_301, mediaTokens: 500 })
  })

  test('behavior: embeddings have no answer, whatever length is requested', () => {
    for (const maxOutput of [undefined, 300]) {
      expect(bounds({ maxOutput }, 'embeddings')).toMatchObject({
        ...{ longest: 0, isShortened: false, least: 801_000n, most: 801_000n, expectedTokens: 201 },
      })
    }
  })

  test('behavior: each text of a batch of embeddings may fill the context', () => {
    const inputTokens = (texts: number, bytes: number) => bounds({ texts }, 'embeddings', bytes).inputTokens
    expect([inputTokens(1, 250_000), inputTokens(2, 250_000), inputTokens(3, 250_000)]).toEqual([
      100_000, 200_000, 250_000,
    ])
  })

  test('behavior: the price is the model’s, including its images', () => {
    const model = { ...MODEL, price: { ...PRICE, image: '0.005' } }
    expect(boundsOfCall('chat', { ...REQUEST, images: 2, maxOutput: 1 }, model, 0).least).toBe(1_010_000n + 10_000_000n)
  })
})

describe('longestFor', () => {
  test('default: what the money affords per choice, when no length was requested', () => {
    const request = { ...REQUEST, choices: 2 }
    expect(longestFor(3_801_000n, boundsOfCall('chat', request, MODEL, 801), request)).toBe(150)
    expect(longestFor(10n ** 9n, boundsOfCall('chat', request, MODEL, 801), request)).toBe(4_000)
  })

  test('behavior: images are paid before the answer', () => {
    const request = { ...REQUEST, images: 1 }
    const model = { ...MODEL, price: { ...PRICE, image: '0.001' } }
    expect(longestFor(2_600_000n, boundsOfCall('chat', request, model, 100), request)).toBe(100)
  })

  test('behavior: a requested length stays, whatever is held', () => {
    const request = { ...REQUEST, maxOutput: 300 }
    expect(longestFor(0n, boundsOfCall('chat', request, MODEL, 801), request)).toBe(300)
  })
})
