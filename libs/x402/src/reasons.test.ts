import { expect, test } from 'vitest'
import {
  EXACT_EVM_REASONS,
  GAS_SPONSORING_REASONS,
  isReason,
  PERMIT2_REASONS,
  reasonIn,
  SPECIFICATION_REASONS,
  V1_ONLY_REASONS,
} from './reasons.ts'

const GIVEN = [...EXACT_EVM_REASONS, ...SPECIFICATION_REASONS, ...V1_ONLY_REASONS]

test('default: a reason stands in one list only', () => {
  const all = [...GIVEN, ...PERMIT2_REASONS, ...GAS_SPONSORING_REASONS]
  expect(new Set(all).size).toBe(all.length)
})

test('behavior: version 2 words are never translated, and no translation needs a second one', () => {
  for (const reason of GIVEN) {
    expect(reasonIn(2, reason)).toBe(reason)
    expect(reasonIn(1, reasonIn(1, reason))).toBe(reasonIn(1, reason))
  }
})

test("behavior: only Callboard's own reasons are reasons", () => {
  expect(isReason('invalid_payload')).toBe(true)
  expect(isReason('permit2_deadline_expired')).toBe(false)
  expect(isReason('constructor')).toBe(false)
})
