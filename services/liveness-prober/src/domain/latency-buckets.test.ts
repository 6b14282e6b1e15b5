import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUCKETS, bucketOf, percentile } from './latency-buckets.ts'

/** The counts of a week, given per bucket. */
function counts(byBucket: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: 96 }, (_, bucket) => byBucket[bucket] ?? 0)
}

describe('bucketOf', () => {
  test.each([
    [0, 0],
    [0.2, 0],
    [1, 0],
    [1.09, 0],
    [1.11, 1],
    [10, 24],
    [100, 48],
    [1_000, 72],
    [7_778, 93],
    [8_500, 94],
    [8_600, 95],
    [60_000, 95],
    [1e9, 95],
  ])('%f ms are in bucket %i of 96', (latencyMs, bucket) => {
    expect(bucketOf(latencyMs)).toBe(bucket)
    expect(BUCKETS).toBe(96)
  })
})

describe('percentile', () => {
  test('default: returns the middle of the bucket in which the share is reached', () => {
    expect(percentile(counts({ 24: 1 }), 0.5)).toBe(10)
    expect(percentile(counts({ 24: 9, 72: 1 }), 0.5)).toBe(10)
    expect(percentile(counts({ 24: 1, 72: 9 }), 0.5)).toBe(1_002)
    expect(percentile(counts({ 95: 3 }), 0.95)).toBe(8_974)
  })

  test('behavior: a share that a bucket just reaches is within it', () => {
    expect(percentile(counts({ 24: 1, 72: 1 }), 0.5)).toBe(10)
    expect(percentile(counts({ 24: 19, 72: 1 }), 0.95)).toBe(10)
    expect(percentile(counts({ 24: 18, 72: 2 }), 0.95)).toBe(1_002)
  })

  test('behavior: is 0 without counts, and the least share is in the first counted bucket', () => {
    expect(percentile([], 0.5)).toBe(0)
    expect(percentile(counts({}), 0.5)).toBe(0)
    expect(percentile(counts({ 24: 1, 72: 1 }), 0)).toBe(10)
  })

  test('behavior: is within 5 % of the exact one, and half a millisecond of rounding, up to 8 s', () => {
    const latency = fc.double({ min: 1, max: 8_000, noNaN: true })
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), fc.constantFrom(0.5, 0.95), (samples, share) => {
        const counted = counts({})
        for (const sample of samples) counted[bucketOf(sample)] = (counted[bucketOf(sample)] ?? 0) + 1
        const exact = samples.toSorted((a, b) => a - b)[Math.ceil(share * samples.length) - 1] ?? 0
        expect(Math.abs(percentile(counted, share) - exact)).toBeLessThanOrEqual(exact * 0.0501 + 0.5)
      }),
    )
  })
})
