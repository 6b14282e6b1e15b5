import { expect, test } from 'vitest'
import { inTurns } from './order.ts'

const long: Readonly<Record<string, number>> = { walk: 100, split: 80, cli: 60, image: 20 }
const order = (files: string, workers: number) => inTurns(files.split(' '), (file) => long[file], workers)

test('the longest begin first, on all workers but one, which runs short ones meanwhile', () => {
  expect(order('a b image c cli d walk e split', 3)).toEqual(['walk', 'split', 'a', 'b', 'c', 'd', 'e', 'cli', 'image'])
})

test('a long file begins when another one ends', () => {
  const short = Array.from({ length: 40 }, (_, at) => `s${at}`)
  const made = order(['walk', 'split', 'image', ...short].join(' '), 2)
  expect(made.slice(0, 2)).toEqual(['walk', 's0'])
  expect(made.indexOf('split')).toBeGreaterThan(30)
})

test('without short files, and with one worker, every file has its place', () => {
  expect(order('image walk cli split', 4)).toEqual(['walk', 'split', 'cli', 'image'])
  expect(order('a image b walk', 1)).toEqual(['walk', 'image', 'a', 'b'])
})

test('short files keep their order', () => {
  expect(order('a b c', 2)).toEqual(['a', 'b', 'c'])
})
