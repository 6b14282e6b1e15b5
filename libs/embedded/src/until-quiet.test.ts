import { expect, test } from 'vitest'
import { untilQuiet } from './until-quiet.ts'

/** Waits in no time. @param busyMs how long something happens without a pause @returns the milliseconds waited */
async function waited({ ms = 300, mostMs = 6_000, busyMs = 0, endsAfterMs = Number.POSITIVE_INFINITY }) {
  let now = 0
  const wait = async (step: number) => {
    now += step
    return now < endsAfterMs
  }
  await untilQuiet({ ms, mostMs, wait, happened: () => now <= busyMs })
  return now
}

test('default: waits until nothing has happened for as long as asked', async () => {
  expect(await waited({})).toBe(300)
  expect(await waited({ busyMs: 1_000 })).toBe(1_200)
})

test('behavior: waits no longer than the most, however busy it is', async () => {
  expect(await waited({ busyMs: 60_000 })).toBe(6_000)
})

test('behavior: ends when nobody waits any more', async () => {
  expect(await waited({ busyMs: 60_000, endsAfterMs: 900 })).toBe(900)
})

test('behavior: a pause of no length still ends', async () => {
  expect(await waited({ ms: 0, mostMs: 1_000, busyMs: 60_000 })).toBe(1_000)
})
