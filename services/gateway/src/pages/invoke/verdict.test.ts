import type { InvokedCall } from '@callboard/contract'
import { REASON_WORDS } from '@callboard/x402'
import { expect, test } from 'vitest'
import { verdictOf } from './verdict.ts'

const AT = '2026-11-20T12:00:00.000Z'
const call = (more: Partial<InvokedCall> = {}, offers: object = {}) =>
  ({
    ...{ payable: false, problem: null, check: null },
    request: { offers: { stored: null, live: null, differences: [], ...offers } },
    ...more,
  }) as unknown as InvokedCall
const live = (...reasons: (string | null)[]) => ({
  live: { state: 'ok_402', checkedAt: AT, accepts: reasons.map((notPayableReason) => ({ notPayableReason })) },
})

test('what the directory takes for payable is, with what the last check saw if that was no offer', () => {
  const seen = (state: string) =>
    verdictOf(call({ payable: true, check: { state: state as 'timeout', checkedAt: AT, okAt: null } }))
  expect(verdictOf(call({ payable: true }))).toEqual({ payable: true, doubt: null })
  expect(seen('ok_402')).toEqual({ payable: true, doubt: null })
  expect(seen('timeout')).toEqual({ payable: true, doubt: 'At our last check, it gave no answer in time.' })
  expect(seen('of-a-newer-prober')).toEqual({ payable: true, doubt: 'At our last check, of-a-newer-prober.' })
})

test('what is not payable says each reason once, with what its seller can do', () => {
  expect(verdictOf(call({ problem: 'It answers without asking for payment.' }))).toEqual({
    ...{ payable: false, reasons: [{ message: 'It answers without asking for payment.' }] },
  })
  expect(verdictOf(call({}, live('network', 'scheme', 'network', null, 'of-a-newer-prober', 'toString')))).toEqual({
    ...{ payable: false, reasons: [REASON_WORDS.network, REASON_WORDS.scheme] },
  })
  expect(verdictOf(call({}, { stored: { scheme: 'upto' }, ...live('scheme') }))).toEqual({
    ...{ payable: false, reasons: [REASON_WORDS.scheme] },
  })
  expect(verdictOf(call({ check: { state: 'mpp', checkedAt: AT, okAt: null } }))).toMatchObject({
    reasons: [{ message: expect.stringContaining('machine payments'), mend: expect.stringContaining('x402') }],
  })
})

test('what is not payable for no known reason says that no offer was read', () => {
  expect(verdictOf(call())).toEqual({ payable: false, reasons: [{ message: 'No check has read an offer of it.' }] })
})
