import type { ListingOperation } from '@callboard/contract'
import { expect, test } from 'vitest'
import { withinBounds } from './evidence.ts'

const KIB = 1024
const quote = {
  method: 'GET',
  name: 'Quote',
  description: '',
  describedBy: 'owner',
  metadataEvidence: 'openapi',
} as const
/** An operation whose schemas take this many bytes as JSON; `{"inputSchema":{"a":"…"}}` adds 24 to its text. */
const taking = (bytes: number, at: number, letter = 'x'): ListingOperation => ({
  ...quote,
  url: `https://api.example/${at}`,
  price: null,
  payment: null,
  inputSchema: { a: letter.repeat((bytes - 24) / Buffer.byteLength(letter)) },
})
const kept = (operations: readonly ListingOperation[]) =>
  withinBounds(operations).map(({ inputSchema }) => inputSchema !== undefined)

test('default: the schemas of a listing may take up to 256 KiB as JSON', () => {
  expect(kept([taking(128 * KIB, 0), taking(128 * KIB, 1)])).toEqual([true, true])
  expect(kept([taking(128 * KIB, 0), taking(128 * KIB + 1, 1)])).toEqual([true, false])
})

test('behavior: a schema beyond the limit is left out as a whole, and a later one may still fit', () => {
  const operations = [taking(200 * KIB, 0), taking(100 * KIB, 1), taking(56 * KIB, 2), taking(KIB, 3)]
  expect(kept(operations)).toEqual([true, false, true, false])
  const { inputSchema: _, ...rest } = taking(100 * KIB, 1)
  expect(withinBounds(operations)[1]).toEqual(rest)
})

test('behavior: bytes count, not characters', () => {
  expect(kept([taking(24 + 255 * KIB, 0, '天'), taking(KIB, 1)])).toEqual([true, false])
})
