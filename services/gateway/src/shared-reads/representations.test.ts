import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { KeptBody, Representations } from './representations.ts'

const body = Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ index, name: 'listing' }))))

describe('Representations', () => {
  test('default: every coding decodes to the same body, under its own tag', async () => {
    const kept = new Representations()
    const [identity, br, gzip] = await Promise.all([
      kept.of(body, 'identity'),
      kept.of(body, 'br'),
      kept.of(body, 'gzip'),
    ])
    expect(identity.bytes).toBe(body)
    expect(brotliDecompressSync(br.bytes)).toEqual(body)
    expect(gunzipSync(gzip.bytes)).toEqual(body)
    expect(new Set([identity.etag, br.etag, gzip.etag]).size).toBe(3)
    for (const { etag } of [identity, br, gzip]) expect(etag).toMatch(/^"[\w-]+"$/)
  })

  test('behavior: a body is compressed once, even when many request it concurrently', async () => {
    const kept = new Representations()
    const [first, second] = await Promise.all([kept.of(body, 'br'), kept.of(Buffer.from(body), 'br')])
    expect(second.bytes).toBe(first.bytes)
    expect((await kept.of(Buffer.from(body), 'br')).bytes).toBe(first.bytes)
    expect(kept.size.bodies).toBe(1)
  })

  test('behavior: a kept body has the tags and codings of its bytes', async () => {
    const kept = new Representations()
    for (const coding of ['identity', 'br', 'gzip'] as const) {
      expect(await kept.of(new KeptBody(body), coding)).toEqual(await kept.of(body, coding))
    }
    expect(kept.size.bodies).toBe(2)
  })

  test('behavior: a different body has a different tag', async () => {
    const kept = new Representations()
    const other = await kept.of(Buffer.concat([body, body]), 'gzip')
    expect(other.etag).not.toBe((await kept.of(body, 'gzip')).etag)
  })

  test('behavior: the least recently requested body is dropped first when space runs out', async () => {
    const kept = new Representations(500)
    const bodies = Array.from({ length: 20 }, (_, index) => Buffer.concat([body, Buffer.from(String(index))]))
    const first = await kept.of(body, 'gzip')
    for (const one of bodies) {
      await kept.of(one, 'gzip')
      await kept.of(body, 'gzip')
    }
    expect(kept.size.bytes).toBeLessThanOrEqual(500 + first.bytes.byteLength)
    expect(kept.size.bodies).toBeLessThan(20)
  })
})
