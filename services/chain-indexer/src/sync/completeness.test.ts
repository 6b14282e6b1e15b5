import { describe, expect, test } from 'vitest'
import type { BlockHeader, RawLog } from '../domain/chain-data.ts'
import { requireComplete, sampleHeights } from './completeness.ts'

const SUSPECT = '0x01'
const never = new AbortController().signal
const header = (number: number, logsBloom = SUSPECT) => ({ number, logsBloom }) as BlockHeader
const log = (blockNumber: number) => ({ blockNumber }) as RawLog

/** Records what is requested from a provider whose receipts contain logs of some blocks. */
function asking(...heldBy: readonly number[]) {
  const asked: number[][] = []
  const provider = {
    receiptLogs: (headers: readonly BlockHeader[]) => {
      asked.push(headers.map(({ number }) => number))
      return Promise.resolve(headers.filter(({ number }) => heldBy.includes(number)).map(({ number }) => log(number)))
    },
  }
  const followed = { mayHoldLogs: (bloom: string) => bloom === SUSPECT }
  const require = (headers: readonly BlockHeader[], logs: readonly RawLog[]) =>
    requireComplete({ followed, provider, signal: never }, headers, logs)
  return { asked, require }
}

describe('requireComplete', () => {
  test('default: requests receipts only where a bloom contradicts an empty answer', async () => {
    const { asked, require } = asking()
    await require([header(1), header(2), header(3, '0x00'), header(4)], [log(2)])
    expect(asked).toEqual([[1, 4]])
  })

  test('behavior: requests nothing where nothing is in doubt', async () => {
    const { asked, require } = asking(1, 2)
    await require([header(1), header(2, '0x00')], [log(1)])
    expect(asked).toEqual([])
  })

  test('error: inconsistent, for a log that the answer omitted', async () => {
    const { require } = asking(4, 5)
    await expect(require([header(3), header(4), header(5)], [])).rejects.toMatchObject({
      fault: 'inconsistent',
      message: expect.stringContaining('block 4'),
    })
  })
})

describe('sampleHeights', () => {
  test('default: every block of a short range', () => {
    expect(sampleHeights(5, 8)).toEqual([5, 6, 7, 8])
    expect(sampleHeights(5, 5)).toEqual([5])
    expect(sampleHeights(1, 512)).toHaveLength(512)
    expect(sampleHeights(1, 513)).toHaveLength(257)
  })
  test.each([513, 1000, 1024, 50_000])(
    'behavior: at most 512 of %i blocks, within the range and with its last',
    (blocks) => {
      const heights = sampleHeights(100, 99 + blocks)
      expect(heights.length).toBeLessThanOrEqual(512)
      expect(heights.length).toBeGreaterThan(256)
      expect(heights[0]).toBeGreaterThanOrEqual(100)
      expect(heights.at(-1)).toBe(99 + blocks)
      expect(new Set(heights).size).toBe(heights.length)
      const strides = new Set(heights.slice(1).map((height, at) => height - (heights[at] ?? 0)))
      expect(strides.size).toBe(1)
      expect((heights[0] ?? 0) - 100).toBeLessThan([...strides][0] ?? 0)
    },
  )
})
