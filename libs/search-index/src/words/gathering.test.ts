import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gathered, type Worded } from './gathering.ts'

/** Words that are stored after one that belongs to no document. */
const worded = (documents: readonly { position: number; ids: readonly number[] }[]): Worded => ({
  count: documents.length,
  positionAt: (index) => documents[index]?.position ?? -1,
  idsAt: (index) => Int32Array.of(0, ...(documents[index]?.ids ?? [])),
  startAt: () => 1,
  endAt: (index) => 1 + (documents[index]?.ids.length ?? 0),
})

test('every word has the positions of the documents that contain it, each once and ascending', async () => {
  const documents = fc.array(fc.array(fc.nat(6), { maxLength: 8 }), { maxLength: 900, size: 'max' })
  await fc.assert(
    fc.asyncProperty(documents, async (all) => {
      const documents = worded(all.map((ids, index) => ({ position: 3 * index + 1, ids })))
      const lists = await gathered(8, documents, async () => {})
      for (let id = 0; id < 8; id += 1) {
        const expected = all.flatMap((ids, index) => (ids.includes(id) ? [3 * index + 1] : []))
        expect([...(lists[id] ?? [])]).toEqual(expected)
        expect(lists[id]?.size ?? 0).toBe(expected.length)
      }
    }),
    { numRuns: 30 },
  )
})

test('a gathered list accepts additions and removals like any other', async () => {
  const documents = worded(Array.from({ length: 1_000 }, (_, index) => ({ position: 2 * index, ids: [0] })))
  const [list] = await gathered(1, documents, async () => {})
  list?.add(1_001)
  list?.remove(0)
  expect(list?.size).toBe(1_000)
  expect(list?.before(1_002)).toBe(1_001)
  expect([...(list ?? [])].at(0)).toBe(2)
})
