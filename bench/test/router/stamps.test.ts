import { expect, test } from 'vitest'
import { stampOf, stampsIn } from '../../src/router/upstream-words.ts'

test('each moment of a stream is found once, wherever the stream is split', () => {
  const moments = [12n, 3_456n, 789_012_345n]
  const stream = moments.map((moment) => `data: {"content":"${stampOf(moment)}"}\n\n`).join('')
  for (let size = 1; size <= stream.length; size += 1) {
    const found: bigint[] = []
    let rest = ''
    for (let at = 0; at < stream.length; at += size) {
      const { sent, rest: left } = stampsIn(rest + stream.slice(at, at + size))
      found.push(...sent)
      rest = left
    }
    expect(found).toEqual(moments)
  }
})
