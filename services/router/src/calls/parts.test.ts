import { describe, expect, test } from 'vitest'
import { piecesOf } from './parts.ts'

const LONG = 300_000

/** What a client receives of the pieces, each of which is encoded on its own. */
const received = (text: string): string =>
  Buffer.concat([...piecesOf(text)].map((part) => Buffer.from('text' in part ? part.text : ''))).toString()

describe('piecesOf', () => {
  test.each(['', 'short', 'x'.repeat(LONG)])('the pieces of a text are the text', (text) => {
    expect(received(text) === text).toBe(true)
  })

  test.each(['', 'x'])('no piece ends inside a character of two units: behind %o', (start) => {
    const text = start + '🙂'.repeat(LONG)
    expect(received(text) === text).toBe(true)
  })

  test('half a character at the very end stays what it is', () => {
    expect([...piecesOf('x\uD83D')]).toEqual([{ text: 'x\uD83D' }])
  })
})
