import { expect, test } from 'vitest'
import { fitting } from './fitting.ts'

test('keeps as many leading items as fit, counting their commas', () => {
  expect(fitting(['aa', 'bb', 'cc'], 10)).toEqual(['aa', 'bb'])
  expect(fitting(['aa', 'bb', 'cc'], 15)).toEqual(['aa', 'bb', 'cc'])
  expect(fitting(['aa'], 4)).toEqual([])
  expect(fitting([], 0)).toEqual([])
})

test('counts bytes, not characters', () => {
  expect(fitting(['é'], 4)).toEqual([])
  expect(fitting(['é'], 5)).toEqual(['é'])
})
