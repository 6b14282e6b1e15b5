import { createHash } from 'node:crypto'
import { event } from '@callboard/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  consumerOf,
  DECLARATION,
  deviations,
  isNewer,
  STREAM,
  STREAM_SETTINGS,
  streamOf,
} from './stream-declaration.ts'

const made = event({ id: 'thing.made', version: 1, key: 'k', summary: 'A test.', data: z.object({ k: z.string() }) })
const consumer = consumerOf({ service: 'reader', event: made })

/** The hash of every declaration so far, by number. Changing the declaration adds a line and raises the number. */
const DECLARED: Readonly<Record<number, string>> = { 1: '221579b7414ee43c', 2: 'c52a9e966a486958' }

test('a change to the declaration requires a higher number', () => {
  const { description: _, ...ofStream } = STREAM
  const { description: __, ...ofConsumer } = consumer
  const text = JSON.stringify([ofStream, ofConsumer])
  expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(DECLARED[DECLARATION])
  expect(Math.max(...Object.keys(DECLARED).map(Number))).toBe(DECLARATION)
})

test('the operator’s settings are converted to the server’s units', () => {
  expect(streamOf(STREAM_SETTINGS)).toMatchObject({ num_replicas: 1, max_age: 1_209_600_000_000_000, max_bytes: -1 })
  expect(streamOf({ replicas: 3, maxAgeDays: 1, maxBytes: 5_000_000 })).toMatchObject({
    num_replicas: 3,
    max_age: 86_400_000_000_000,
    max_bytes: 5_000_000,
  })
})

test('a declaration without a number is older, one with a higher number is newer', () => {
  const ofNumber = (number: number) => ({ description: `All events (declaration ${number} of Callboard)` })
  expect([{}, ofNumber(DECLARATION), ofNumber(DECLARATION + 1)].map(isNewer)).toEqual([false, false, true])
})

test('deviations are reported, unless a newer version declared them', () => {
  const kept = { ...consumer, max_deliver: 5 }
  expect(deviations('it', consumer, kept)).toEqual(['nats-server keeps max_deliver of it as 5, not -1'])
  const newer = { ...kept, description: `Events (declaration ${DECLARATION + 1} of Callboard)` }
  expect(deviations('it', consumer, newer)).toEqual([])
})
