import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatheredBytes, MAX_ANSWER_BYTES, textOfAnswer } from './gathered-bytes.ts'

const pieces = fc.array(fc.uint8Array({ maxLength: 300, size: 'max' }), { maxLength: 12 })
const textOf = (all: readonly Uint8Array[]) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(all.map((one) => Buffer.from(one))))

test('what came in pieces is one text, and what comes afterwards is another', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 3 }), (texts) => {
      const gathered = new GatheredBytes()
      for (const text of texts) {
        for (const piece of text) gathered.add(piece)
        expect(gathered.length).toBe(text.reduce((sum, { length }) => sum + length, 0))
        expect(gathered.take()).toBe(textOf(text))
        expect(gathered.length).toBe(0)
      }
    }),
  )
})

test('an answer is read to its end, in order', async () => {
  async function* body() {
    for (const text of ['{"answer":', '"é', '"}']) yield Buffer.from(text)
  }
  expect(await textOfAnswer(body())).toBe('{"answer":"é"}')
})

test('the longest answer is taken, and not a byte more', () => {
  const gathered = new GatheredBytes()
  gathered.add(new Uint8Array(MAX_ANSWER_BYTES - 1))
  gathered.add(new Uint8Array(1))
  expect(gathered.length).toBe(MAX_ANSWER_BYTES)
  expect(() => gathered.add(new Uint8Array(1))).toThrow(
    expect.objectContaining({ name: 'TooLong', message: `longer than ${MAX_ANSWER_BYTES} bytes` }),
  )
})
