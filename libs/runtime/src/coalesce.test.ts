import { describe, expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** Work that records its turns and answers when the test lets it. */
function held() {
  const turns: number[][] = []
  const gates: (() => void)[] = []
  const work = async (items: readonly number[]) => {
    turns.push([...items])
    await new Promise<void>((resolve) => gates.push(resolve))
    return items.map((item) => item * 10)
  }
  const started = async (count: number) => {
    while (gates.length < count) await new Promise((resolve) => setImmediate(resolve))
    gates[count - 1]?.()
  }
  return { turns, work, started }
}

describe('coalesce', () => {
  test('default: a single item is processed at once; items that arrive meanwhile share the next turn', async () => {
    const { turns, work, started } = held()
    const ask = coalesce(work, { most: 10 })
    const first = ask(1)
    const both = started(1).then(() => Promise.all([first]))
    while (turns.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const others = Promise.all([ask(2), ask(3)])
    expect(await both).toEqual([10])
    await started(2)
    expect(await others).toEqual([20, 30])
    expect(turns).toEqual([[1], [2, 3]])
  })

  test('behavior: simultaneous items share a turn, up to the maximum', async () => {
    const turns: number[][] = []
    const ask = coalesce(
      async (items: readonly number[]) => {
        turns.push([...items])
        return items
      },
      { most: 2 },
    )
    expect(await Promise.all([1, 2, 3].map(ask))).toEqual([1, 2, 3])
    expect(turns).toEqual([[1, 2], [3]])
  })

  test('error: an item that makes its turn fail fails alone', async () => {
    const ask = coalesce(
      async (items: readonly number[]) => {
        if (items.includes(2)) throw new Error('no twos')
        return items
      },
      { most: 10 },
    )
    expect(await Promise.allSettled([1, 2, 3].map(ask))).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: { message: 'no twos' } },
      { status: 'fulfilled', value: 3 },
    ])
    expect(await ask(4)).toBe(4)
  })

  test('error: a failure that all items share is not retried per item', async () => {
    let turns = 0
    const ask = coalesce(
      async () => {
        turns++
        throw new Error('unavailable')
      },
      { most: 10, isShared: () => true },
    )
    expect(await Promise.allSettled([ask(1), ask(2)])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect(turns).toBe(1)
  })
})
