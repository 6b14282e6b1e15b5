import { ANSWER_BYTES } from '@callboard/bus'
import { expect, test } from 'vitest'
import { ownedPage } from './owned-page.ts'

const listOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => ({ createdAt: at, slug: `s${at}`, text: 'x'.repeat(length) }))

/** Reads a list, and counts the bytes of what was read. */
function reader(all: ReturnType<typeof listOf>) {
  const seen = { bytes: 0 }
  const read = async (most: number, after: { createdAt: number } | undefined) => {
    const part = all.filter(({ createdAt }) => createdAt > (after?.createdAt ?? -1)).slice(0, most)
    seen.bytes += JSON.stringify(part).length
    return part
  }
  return { seen, read }
}

test.each([
  [0, 50, 0, false],
  [9, 50, 9, false],
  [10, 10, 10, false],
  [11, 10, 10, true],
  [101, 100, 100, true],
  [100, 100, 100, false],
])('of %i items, a page of %i holds %i', async (count, limit, shown, isMore) => {
  const page = await ownedPage(reader(listOf(count, 1)).read, limit)
  expect([page.items.length, page.isMore]).toEqual([shown, isMore])
})

test('of long items no more are read than one answer holds, and a part beyond it', async () => {
  const all = listOf(100, ANSWER_BYTES / 4)
  const { seen, read } = reader(all)
  const page = await ownedPage(read, 100)
  expect(page.isMore).toBe(true)
  expect(seen.bytes).toBeLessThan(4 * ANSWER_BYTES)
  expect((await ownedPage(read, 100, page.items.at(-1))).items[0]).toBe(all[page.items.length])
})
