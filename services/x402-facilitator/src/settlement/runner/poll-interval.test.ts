import { type ChainClient, chainSet, NewHeads } from '@callboard/evm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PollIntervals } from './poll-interval.ts'

const BASE = 'eip155:8453'
const BEAT_MS = 400

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function opened() {
  const heads = new NewHeads()
  const clients = new Map([[BASE, { heads } as ChainClient]] as const)
  return { heads, polls: new PollIntervals(chainSet({ networks: [BASE] }), clients) }
}

/** Whether a wait is over by now. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  const found = Promise.race([wait.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, 0, false))])
  await vi.advanceTimersByTimeAsync(0)
  return found
}

describe('next', () => {
  test('default: resolves at the poll interval', async () => {
    const next = opened().polls.next(BASE)
    await vi.advanceTimersByTimeAsync(BEAT_MS - 2)
    expect(await isOver(next)).toBe(false)
    await vi.advanceTimersByTimeAsync(2)
    expect(await isOver(next)).toBe(true)
  })

  test('behavior: resolves at a new head, for all that wait, so that they check together', async () => {
    const { heads, polls } = opened()
    const [first, second] = [polls.next(BASE), polls.next(BASE)]
    expect(second).toBe(first)
    heads.push()
    expect(await isOver(first)).toBe(true)
  })

  test('behavior: resolves at once after a check during which a head came', async () => {
    const { heads, polls } = opened()
    const first = polls.next(BASE)
    heads.push()
    await first
    heads.push()
    expect(await isOver(polls.next(BASE))).toBe(true)
    expect(await isOver(polls.next(BASE))).toBe(false)
  })

  test('behavior: heads that came while nothing waited wake nothing', async () => {
    const { heads, polls } = opened()
    const first = polls.next(BASE)
    heads.push()
    await first
    await vi.advanceTimersByTimeAsync(BEAT_MS)
    heads.push()
    expect(await isOver(polls.next(BASE))).toBe(false)
  })
})
