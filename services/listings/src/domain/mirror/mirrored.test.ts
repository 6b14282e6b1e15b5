import { expect, test } from 'vitest'
import { MIRROR_METHODS, MIRROR_STATES } from './mirrored.ts'

test('a third party’s resource is called unasked by GET and POST alone', () => {
  expect(MIRROR_METHODS).toEqual(['GET', 'POST'])
})

test('a row stands in one of five states, each of which has a gauge', () => {
  expect(MIRROR_STATES).toEqual(['unprobed', 'payable', 'unpayable', 'stale', 'suspended'])
})
