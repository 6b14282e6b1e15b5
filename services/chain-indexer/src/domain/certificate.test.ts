import type { Hex } from '@callboard/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BlockRead, type WrittenRead, written } from './block-read.ts'
import { type Certificate, checked, innerHeights } from './certificate.ts'

const NETWORK = 'eip155:8453'
const hash = (number: number, branch = 0): Hex => `0x${(number + branch * 10_000).toString(16).padStart(64, '0')}`

const read = (from: number, to: number, how: BlockRead['how'] = 'block', branch = 0, parent = branch): BlockRead => ({
  ...{ from, to, endpoint: '1:rpc.example', how, logs: 0, parentHash: hash(from - 1, parent) },
  hashes:
    how === 'block'
      ? Array.from({ length: to - from + 1 }, (_, at) => hash(from + at, branch))
      : [...new Set([hash(from, branch), hash(to, branch)])],
})

function certificate(reads: readonly BlockRead[], from: number, to: number): Certificate {
  const all: WrittenRead[] = []
  for (const one of reads) all.push(written(NETWORK, one, all.at(-1), '2026-11-20T12:00:00.000Z'))
  const inner = innerHeights(all).map((number) => ({ number, hash: hash(number), parentHash: hash(number - 1) }))
  return { format: 'callboard-certificate/1', network: NETWORK, from, to, reads: all, inner }
}

const because = (one: Certificate, digest?: string) => {
  const finding = checked(one, digest)
  return finding.holds ? 'it holds' : finding.because
}

test('every block of consecutive reads is certified, with hash, parent and endpoint', () => {
  const finding = checked(certificate([read(10, 19, 'range'), read(20, 20), read(21, 22)], 12, 21))
  expect(finding.holds && finding.blocks.map(({ number }) => number)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20, 21])
  expect(finding.holds && finding.blocks.at(-1)).toEqual({
    ...{ number: 21, hash: hash(21), parentHash: hash(20), endpoint: '1:rpc.example' },
  })
})

test('a reorganization replaces the blocks that it removed', () => {
  const finding = checked(certificate([read(10, 12), read(12, 14, 'block', 1, 0)], 10, 14))
  expect(finding.holds && finding.blocks.map((block) => block.hash)).toEqual([
    ...[hash(10), hash(11), hash(12, 1), hash(13, 1), hash(14, 1)],
  ])
})

test('a certificate names the digest of its last read, and a noted digest may be of any read', () => {
  const whole = certificate([read(10, 12), read(13, 13), read(14, 14)], 10, 14)
  const [first, , last] = whole.reads
  expect(checked(whole, first?.digest)).toMatchObject({ holds: true, digest: last?.digest })
})

test('a reorganization removes everything above its first block, even what nothing replaced', () => {
  const back = certificate([read(10, 14), read(12, 12, 'block', 1, 0)], 10, 14)
  expect(because(back)).toBe('block 13 was not read')
  expect(because({ ...back, from: 14 })).toBe('block 14 was not read')
  const finding = checked({ ...back, to: 12 })
  expect(finding.holds && finding.blocks.map((block) => block.hash)).toEqual([hash(10), hash(11), hash(12, 1)])
})

test('reads that begin above the certificate’s first block, or whose parent is not among them, hold on their own', () => {
  expect(checked(certificate([read(10, 12), read(9, 12, 'block', 0, 1)], 9, 12)).holds).toBe(true)
})

test('innerHeights: all but the first block of each range read, and none of block reads', () => {
  const { reads } = certificate([read(10, 13, 'range'), read(14, 14, 'range'), read(15, 17)], 10, 17)
  expect(innerHeights(reads)).toEqual([11, 12, 13])
})

describe('a certificate does not hold', () => {
  test('with a gap', () => {
    expect(because(certificate([read(10, 12), read(14, 15)], 10, 15))).toBe('blocks 13 to 13 were not read')
  })
  test('beyond what was read', () => {
    expect(because(certificate([read(10, 12)], 10, 13))).toBe('block 13 was not read')
  })
  test('where a block does not follow', () => {
    expect(because(certificate([read(10, 12), read(13, 14, 'block', 0, 1)], 10, 14))).toBe(
      'block 13 does not follow block 12 as it was read',
    )
  })
  test('where a read was removed', () => {
    const whole = certificate([read(10, 12), read(13, 13), read(14, 14)], 10, 14)
    expect(because({ ...whole, reads: whole.reads.filter((_, at) => at !== 1) })).toBe('read 3 does not follow read 1')
  })
  test('where a block inside a range is missing, or has another parent', () => {
    const whole = certificate([read(10, 14, 'range')], 10, 14)
    expect(because({ ...whole, inner: whole.inner.filter(({ number }) => number !== 12) })).toBe(
      'block 12 was read as one of a range, and its hash is not told',
    )
    const other = whole.inner.map((block) => (block.number === 12 ? { ...block, hash: hash(12, 1) } : block))
    expect(because({ ...whole, inner: other })).toBe('block 13 does not follow block 12')
  })
  test('without its last block, and without any read', () => {
    expect(because(certificate([], 10, 10))).toBe('block 10 was not read')
    expect(because(certificate([read(11, 12)], 10, 12))).toBe('block 10 was not read')
  })
  test('where a read has fewer or more hashes than blocks, or ends before it begins', () => {
    const none = { ...read(10, 12), hashes: [] }
    const more = { ...read(10, 11, 'range'), hashes: [hash(10), hash(11), hash(12)] }
    const one = { ...read(10, 12, 'range'), hashes: [hash(10)] }
    for (const odd of [none, more, one, { ...read(10, 12), hashes: [hash(10), hash(11)] }, { ...none, to: 9 }]) {
      expect(because(certificate([odd], 10, 10))).toBe('read 1 has not the hashes of its blocks')
    }
  })
  test('where the last block of a range is missing, is not the one that was read, or has another parent', () => {
    const whole = certificate([read(10, 14, 'range')], 10, 14)
    const without = whole.inner.filter(({ number }) => number !== 14)
    const last = { number: 14, hash: hash(14), parentHash: hash(13) }
    for (const inner of [
      without,
      [...without, { ...last, hash: hash(14, 1) }],
      [...without, { ...last, parentHash: hash(12) }],
    ]) {
      expect(because({ ...whole, inner })).toBe('block 14 does not follow block 13')
    }
  })
  test('where a read names another digest than that of the read before, even if its place is next', () => {
    const [first, second] = certificate([read(10, 12), read(13, 13)], 10, 13).reads
    const other = written(NETWORK, read(13, 13), { place: 1, digest: 'another' }, '2026-11-20T12:00:00.000Z')
    expect(first && second && because({ ...certificate([], 10, 13), reads: [first, other] })).toBe(
      'read 2 does not follow read 1',
    )
  })
  test('where a place is skipped, even if each digest names the one before', () => {
    const [first] = certificate([read(10, 12)], 10, 12).reads
    const later = first && written(NETWORK, read(13, 13), { place: 7, digest: first.digest }, first.readAt)
    expect(first && later && because({ ...certificate([], 10, 13), reads: [first, later] })).toBe(
      'read 8 does not follow read 1',
    )
  })
  test('where the noted digest belongs to none of its reads', () => {
    const whole = certificate([read(10, 12)], 10, 12)
    expect(because(whole, whole.reads[0]?.digest)).toBe('it holds')
    expect(because(whole, 'another')).toBe('the noted digest is of none of its reads')
  })
})

test('a change to any member of a read invalidates the certificate', () => {
  const whole = certificate([read(10, 12), read(13, 16, 'range'), read(17, 17)], 10, 17)
  const members = [
    'from',
    'to',
    'endpoint',
    'how',
    'parentHash',
    'hashes',
    'logs',
    'readAt',
    'previous',
    'place',
    'digest',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...members), fc.nat({ max: 2 }), (member, at) => {
      const reads = whole.reads.map((one, index) => {
        const value = one[member as keyof WrittenRead]
        const other =
          typeof value === 'number' ? value + 1 : Array.isArray(value) ? value.toReversed().concat('0x') : `${value}0`
        return index === at ? { ...one, [member]: other } : one
      })
      expect(checked({ ...whole, reads } as Certificate).holds).toBe(false)
    }),
  )
})
