import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NewHeads } from './new-heads.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Which of the waits are over by now. */
async function over(waits: readonly Promise<void>[]): Promise<boolean[]> {
  const done = waits.map(() => false)
  for (const [index, wait] of waits.entries()) void wait.then(() => done.splice(index, 1, true))
  await vi.advanceTimersByTimeAsync(0)
  return done
}

describe('after', () => {
  test('default: resolves at the next head, for all that wait', async () => {
    const heads = new NewHeads()
    const waits = [heads.after(0, 400), heads.after(0, 400)]
    expect(await over(waits)).toEqual([false, false])
    heads.push()
    expect(await over(waits)).toEqual([true, true])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('behavior: resolves at once where a head came that was not seen', async () => {
    const heads = new NewHeads()
    heads.push()
    expect(await over([heads.after(0, 400), heads.after(heads.count, 400)])).toEqual([true, false])
  })

  test('behavior: resolves after the timeout where no head comes', async () => {
    const wait = new NewHeads().after(0, 400)
    await vi.advanceTimersByTimeAsync(399)
    expect(await over([wait])).toEqual([false])
    await vi.advanceTimersByTimeAsync(1)
    expect(await over([wait])).toEqual([true])
  })
})
