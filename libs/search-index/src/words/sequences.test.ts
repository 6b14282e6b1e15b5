import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Sequences } from './sequences.ts'

const read = (sequences: Sequences, place: number, length: number) => {
  const start = sequences.startOf(place)
  return [...sequences.chunkOf(place).subarray(start, start + length)]
}

test('every sequence that is kept stays as it was added, whatever else is added and removed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(fc.nat(), { maxLength: 5 }), fc.boolean())), (steps) => {
      const sequences = new Sequences()
      const kept: { place: number; items: number[] }[] = []
      for (const [items, isRemoval] of steps) {
        const removed = isRemoval ? kept.shift() : undefined
        if (removed) sequences.remove(removed.place, removed.items.length)
        kept.push({ place: sequences.add(items), items })
      }
      for (const { place, items } of kept) expect(read(sequences, place, items.length)).toEqual(items)
    }),
  )
})

test('a sequence is stored in one array, even when many came before it', () => {
  const sequences = new Sequences()
  const items = Array.from({ length: 10_000 }, (_, index) => index)
  const places = Array.from({ length: 60 }, () => sequences.add(items))
  expect(new Set(places.map((place) => sequences.chunkOf(place))).size).toBe(3)
  for (const place of places) expect(read(sequences, place, items.length)).toEqual(items)
})

test('the place of a removed sequence is reused by the next of its length, so changes do not fill the memory', () => {
  const sequences = new Sequences()
  const place = sequences.add([1, 2, 3])
  sequences.add([9])
  sequences.remove(place, 3)
  expect(sequences.add([4, 5, 6])).toBe(place)
  expect(sequences.add([4, 5, 6])).not.toBe(place)
})
