import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gathered } from './gathering.ts'

test('every word has the positions of the documents that have it, each once and ascending', async () => {
  const documents = fc.array(fc.array(fc.nat(6), { maxLength: 8 }), { maxLength: 900, size: 'max' })
  await fc.assert(
    fc.asyncProperty(documents, async (all) => {
      const wordsAt = (index: number) => ({ position: 3 * index + 1, ids: Int32Array.from(all[index] ?? []) })
      const lists = await gathered(8, all.length, wordsAt, async () => {})
      for (let id = 0; id < 8; id += 1) {
        const expected = all.flatMap((ids, index) => (ids.includes(id) ? [3 * index + 1] : []))
        expect([...(lists[id] ?? [])]).toEqual(expected)
        expect(lists[id]?.size ?? 0).toBe(expected.length)
      }
    }),
    { numRuns: 30 },
  )
})

test('a list that was gathered takes others in and out like any', async () => {
  const wordsAt = (index: number) => ({ position: 2 * index, ids: Int32Array.of(0) })
  const [list] = await gathered(1, 1_000, wordsAt, async () => {})
  list?.add(1_001)
  list?.remove(0)
  expect(list?.size).toBe(1_000)
  expect(list?.before(1_002)).toBe(1_001)
  expect([...(list ?? [])].at(0)).toBe(2)
})
