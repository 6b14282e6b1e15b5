import { expect, test } from 'vitest'
import { jsonOf, NotThatDocument } from './read.ts'

test('any JSON value is read from a document', () => {
  expect(['{"a":[1]}', 'null', ' 7 ', '""'].map(jsonOf)).toEqual([{ a: [1] }, null, 7, ''])
})

test('a text that is not JSON is refused as not that document', () => {
  for (const text of ['', '{', '<html>']) expect(() => jsonOf(text)).toThrow(NotThatDocument)
  expect(new NotThatDocument('x').name).toBe('NotThatDocument')
})
