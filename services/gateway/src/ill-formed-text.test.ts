import { expect, test } from 'vitest'
import { placeOfIllFormedText } from './ill-formed-text.ts'

test.each<[unknown, string | undefined]>([
  [{ name: 'good', tags: ['a', 'b'], more: { n: 1, nothing: null, is: true } }, undefined],
  [{ name: 'a\0b' }, 'name'],
  [{ name: 'half \ud800' }, 'name'],
  [{ name: 'whole \ud83d\ude00' }, undefined],
  [{ list: ['good', { deep: '\0' }] }, 'list.1.deep'],
  [{ 'a\0': 1 }, 'body'],
  [{ payload: { '\udfff': 1 } }, 'payload'],
  [undefined, undefined],
])('%j: %s', (value, place) => {
  expect(placeOfIllFormedText(value)).toBe(place)
})
