import { describe, expect, test } from 'vitest'
import { piecesOf } from './parts.ts'

const LONG = 300_000

/** What a client receives of the pieces, each of which is encoded on its own. */
const received = (text: string): string =>
  Buffer.concat([...piecesOf(text)].map((part) => Buffer.from('text' in part ? part.text : ''))).toString()

describe('piecesOf', () => {
  test.each(['', 'short', 'x'.repeat(LONG)])('the pieces of a text concatenate to the text', (text) => {
    expect(received(text) === text).toBe(true)
  })

  test.each(['', 'x'])('no piece splits a surrogate pair: behind %o', (start) => {
    const text = start + '🙂'.repeat(LONG)
    expect(received(text) === text).toBe(true)
  })

  test('a lone surrogate at the end of a text is kept as it is', () => {
    expect([...piecesOf('x\uD83D')]).toEqual([{ text: 'x\uD83D' }])
  })
})
