import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from '../src/faults/index.ts'
import { QUICK } from '../src/faults/quick.ts'
import { hasHeld, kept } from '../src/results.ts'
import { tested } from '../src/tested.ts'
import { upgrades } from '../src/upgrade.ts'

const walked = [...faults, ...upgrades]

test.each(tested)('the test named for “$name” exists', ({ test: [file, title] }) => {
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(title)
})

test.each(Object.entries(QUICK))('the quick walk has a fault for %s', (_kind, name) => {
  expect(faults.map((fault) => fault.name)).toContain(name)
})

test('no fault is open: each was walked and its invariants held', () => {
  const seen = kept()
  expect(walked.filter(({ name }) => !hasHeld(seen[name])).map(({ name }) => name)).toEqual([])
})

test('a fault that a machine could not carry out stays open', () => {
  const seen = { fault: 'disk full', broken: [], answers: {}, seed: 1, date: '2026-01-01' }
  expect(hasHeld(seen)).toBe(true)
  expect([undefined, { ...seen, broken: ['lost'] }, { ...seen, impossible: 'no root' }].map(hasHeld)).toEqual([
    false,
    false,
    false,
  ])
})

test('every kept result belongs to an existing fault', () => {
  expect(Object.keys(kept()).filter((name) => !walked.some((fault) => fault.name === name))).toEqual([])
})
