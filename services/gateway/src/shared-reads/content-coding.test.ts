import { expect, test } from 'vitest'
import { chooseCoding } from './content-coding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.5, br;q=0.501', 'br'],
  ['gzip ; q=0.2 , identity;q=0.1', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, *;q=0.1', 'identity'],
  ['deflate', 'identity'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0.000, br;q=0', 'identity'],
  ['gzip;q=2, br;q=-1', 'identity'],
  ['gzip;q=', 'identity'],
  ['*;q=0, gzip', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity;q=0', undefined],
  ['*;q=0', undefined],
  ['identity;q=0, deflate', undefined],
  ['gzip;q=0, identity;q=0', undefined],
  [',;,', 'identity'],
] as const)('%s selects %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding)
})

test('behavior: a body too small to compress is sent as it is, unless that is not accepted', () => {
  expect(chooseCoding('br, gzip', false)).toBe('identity')
  expect(chooseCoding('br, identity;q=0', false)).toBe('br')
  expect(chooseCoding('gzip, *;q=0', false)).toBe('gzip')
  expect(chooseCoding('*;q=0', false)).toBeUndefined()
})
