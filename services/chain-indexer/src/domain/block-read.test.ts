import { expect, test } from 'vitest'
import { type BlockRead, digestOf, written } from './block-read.ts'

const NETWORK = 'eip155:8453'
const READ: BlockRead = {
  ...{ from: 10, to: 12, endpoint: '1:rpc.example', how: 'block', parentHash: '0x09', logs: 3 },
  hashes: ['0x0a', '0x0b', '0x0c'],
}
const AT = '2026-11-20T12:00:00.000Z'
/** SHA-256 of the lines, as from `sha256sum`. */
const DIGEST = '83683d72fb275eabb9da2a485d3460558db2dca80bcb0f5319b4c501c3fbab2e'

test('the first read has the first place, nothing before it, and the digest of its lines', () => {
  expect(written(NETWORK, READ, undefined, AT)).toEqual({
    ...{ ...READ, place: 1, readAt: AT, previous: '', digest: DIGEST },
  })
})

test('the next read has the next place and the digest of the one before', () => {
  const next = written(NETWORK, READ, { place: 41, digest: DIGEST }, AT)
  expect(next).toMatchObject({ place: 42, previous: DIGEST })
  expect(next.digest).not.toBe(DIGEST)
})

test('a change of network or of any member changes the digest', () => {
  const read = { ...READ, place: 1, readAt: AT, previous: '' }
  const others = [
    ...[
      { from: 9 },
      { to: 13 },
      { endpoint: '2:rpc.example' },
      { how: 'range' as const },
      { parentHash: '0x08' as const },
    ],
    ...[{ hashes: ['0x0a'] as const }, { logs: 4 }, { place: 2 }, { readAt: '2026' }, { previous: 'ab' }],
  ].map((part) => digestOf(NETWORK, { ...read, ...part }))
  expect(digestOf(NETWORK, read)).toBe(DIGEST)
  expect(new Set([...others, digestOf('eip155:1', read), DIGEST]).size).toBe(12)
})
