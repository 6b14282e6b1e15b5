import { describe, expect, test } from 'vitest'
import { MAX_ANSWER_BYTES } from '../answered/gathered-bytes.ts'
import type { ModelEntry } from '../model.ts'
import { mostEmbedded } from './embeddings-bound.ts'

const MODEL: ModelEntry = {
  ...{ id: 'embedding', ownedBy: 'example', created: 0, contextTokens: 8_192, maxOutputTokens: 1 },
  capabilities: ['embeddings'],
  price: { version: '1', prompt: '0.00000002', completion: '0' },
  upstreams: [{ upstream: 'first', weight: 1 }],
}

/** An answer as OpenAI writes it, with the longest numbers. */
function answerOf(texts: number, dimensions: number, isBase64: boolean): number {
  const numbers = Array.from({ length: dimensions }, () => -0.000_692_928_349_599_242)
  const embedding = isBase64 ? Buffer.alloc(4 * dimensions).toString('base64') : numbers
  const one = JSON.stringify([{ object: 'embedding', index: 1_999, embedding }], null, 2)
  return texts * one.length
}

describe('mostEmbedded', () => {
  test('default: so many texts that the longest answer to them can be read', () => {
    for (const [dimensions, format] of [
      [384, 'float'],
      [1_536, undefined],
      [3_072, 'float'],
      [1_536, 'base64'],
      [3_072, 'base64'],
      [4_096, 'base64'],
    ] as const) {
      const most = mostEmbedded({ encoding_format: format }, { ...MODEL, dimensions }) ?? 0
      expect(answerOf(most, dimensions, format === 'base64')).toBeLessThan(MAX_ANSWER_BYTES)
    }
  })

  test('behavior: 2,000 texts of the largest usual model fit in base64, which stock clients ask for', () => {
    expect(mostEmbedded({ encoding_format: 'base64' }, { ...MODEL, dimensions: 3_072 })).toBeGreaterThan(2_000)
    expect(mostEmbedded({}, { ...MODEL, dimensions: 3_072 })).toBe(340)
  })

  test('behavior: base64 takes no less where an upstream sends numbers all the same', () => {
    expect(mostEmbedded({ encoding_format: 'base64' }, { ...MODEL, dimensions: 3_072 }, false)).toBe(340)
  })

  test('behavior: a request may ask for fewer numbers than the model has, and names them where the model does not', () => {
    expect(mostEmbedded({ dimensions: 256 }, { ...MODEL, dimensions: 3_072 })).toBe(3_971)
    expect(mostEmbedded({ dimensions: 256 }, MODEL)).toBe(3_971)
    expect(mostEmbedded({ dimensions: 100_000 }, { ...MODEL, dimensions: 3_072 })).toBe(340)
    for (const dimensions of [0, -1, 1.5, '8', null, Number.NaN])
      expect(mostEmbedded({ dimensions }, { ...MODEL, dimensions: 3_072 })).toBe(340)
  })

  test('behavior: one text is always accepted, and any number where nothing says how long an embedding is', () => {
    expect(mostEmbedded({ dimensions: Number.MAX_SAFE_INTEGER }, MODEL)).toBe(1)
    expect(mostEmbedded({}, MODEL)).toBeUndefined()
  })
})
