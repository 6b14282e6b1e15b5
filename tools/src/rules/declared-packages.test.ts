import { expect, test } from 'vitest'
import { disagreements } from './declared-packages.ts'

test('every workspace declares the packages that its files import, and no others', () => {
  expect(disagreements()).toEqual([])
})
