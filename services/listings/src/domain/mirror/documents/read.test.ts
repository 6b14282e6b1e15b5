import { expect, test } from 'vitest'
import { jsonOf, NotThatDocument } from './read.ts'

test('the JSON of a document, whatever it is', () => {
  expect(['{"a":[1]}', 'null', ' 7 ', '""'].map(jsonOf)).toEqual([{ a: [1] }, null, 7, ''])
})

test('what is no JSON is not that document', () => {
  for (const text of ['', '{', '<html>']) expect(() => jsonOf(text)).toThrow(NotThatDocument)
  expect(new NotThatDocument('x').name).toBe('NotThatDocument')
})
