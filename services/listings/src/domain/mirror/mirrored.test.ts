import { expect, test } from 'vitest'
import { MIRROR_METHODS, MIRROR_STATES } from './mirrored.ts'

test('a third party’s resource is called unasked only by GET and POST', () => {
  expect(MIRROR_METHODS).toEqual(['GET', 'POST'])
})

test('a row is in one of five states, each of which has a gauge', () => {
  expect(MIRROR_STATES).toEqual(['unprobed', 'payable', 'unpayable', 'stale', 'suspended'])
})
