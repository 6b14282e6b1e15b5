import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from '../src/faults/index.ts'
import { kept } from '../src/results.ts'
import { tested } from '../src/tested.ts'
import { upgrade } from '../src/upgrade.ts'

const walked = [...faults, upgrade]

test.each(tested)('the test that is named for “$name” exists', ({ test: [file, title] }) => {
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(title)
})

test('no fault is open: each was walked, and held', () => {
  const seen = kept()
  expect(walked.filter(({ name }) => seen[name]?.broken.length !== 0).map(({ name }) => name)).toEqual([])
})

test('what was seen is of faults that there are', () => {
  expect(Object.keys(kept()).filter((name) => !walked.some((fault) => fault.name === name))).toEqual([])
})
