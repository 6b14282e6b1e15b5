import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, PATHS } from '../../src/budget-board/asking.ts'
import { CELLS, type Cell, isAborted } from '../../src/budget-board/cells.ts'
import { billOf, priceOf } from '../../src/budget-board/price.ts'
import { startUpstream, type Upstream } from '../../src/budget-board/upstream.ts'

let upstream: Upstream
let call = 0
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

const billed = ({ id }: Cell) => upstream.bills.get(id)?.nano ?? -1n
const titled = (cells: readonly Cell[]) =>
  cells.map((cell): [string, Cell] => [
    `${cell.surface} ${cell.stream ? 'streamed' : 'whole'}, ${cell.behaviour}`,
    cell,
  ])

/** Calls the upstream without a gateway in between. */
async function ask(cell: Cell, signal?: AbortSignal): Promise<{ readonly status: number; readonly text: string }> {
  call += 1
  const answer = await fetch(upstream.url + PATHS[cell.surface], {
    method: 'POST',
    body: JSON.stringify(bodyOf(cell, call, 'board')),
    ...(signal ? { signal } : {}),
  })
  return { status: answer.status, text: await answer.text() }
}

/** The last usage that an answer reports, in nano-USD. */
function toldIn(cell: Cell, text: string): bigint {
  const last = (name: string) => Number([...text.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].at(-1)?.[1] ?? 0)
  const cached = last('cached_tokens') + last('cache_read_input_tokens')
  const [input, output] = [
    last('prompt_tokens') + last('input_tokens'),
    last('completion_tokens') + last('output_tokens'),
  ]
  const fresh = cell.surface === 'messages' ? input : input - cached
  return billOf({ fresh, cacheRead: cached, output }, priceOf(cell.surface))
}

const tells = ({ behaviour, surface, stream }: Cell) =>
  /^(ok|usage only at the end|cached tokens|tools only)$/.test(behaviour) &&
  // A streamed chat reports its usage on request, or unrequested at the end; a message reports it twice.
  !(surface === 'chat' && stream && behaviour !== 'usage only at the end')

describe('the billed amount equals the reported usage', () => {
  test.each(titled(CELLS.filter(tells)))('%s', async (_, cell) => {
    const before = billed(cell)
    const { status, text } = await ask(cell)
    expect([status, billed(cell) - before]).toEqual([200, toldIn(cell, text)])
    expect(billed(cell)).toBeGreaterThan(0n)
  })
})

test.each(titled(CELLS.filter(({ behaviour }) => behaviour === 'usage missing')))(
  '%s: the answer reports no usage and is billed anyway',
  async (_, cell) => {
    const { text } = await ask(cell)
    expect(text).not.toMatch(/prompt_tokens|"input_tokens":[1-9]/)
    expect(billed(cell)).toBeGreaterThan(0n)
  },
)

test.each(titled(CELLS.filter(({ behaviour }) => /^(error|death)/.test(behaviour))))(
  '%s: an answer that the upstream breaks is not billed',
  async (_, cell) => {
    const answer = await ask(cell).catch(() => undefined)
    expect(answer?.status ?? 'broken off').toBe(cell.behaviour === 'error before a byte' ? 500 : 'broken off')
    expect(billed(cell)).toBe(0n)
  },
)

test.each(titled(CELLS.filter(isAborted)))(
  '%s: a client that leaves is billed only where the upstream bills what it sent',
  async (_, cell) => {
    const leaving = new AbortController()
    const gone = ask(cell, leaving.signal).catch(() => 'gone')
    await upstream.paused(cell, call)
    leaving.abort()
    expect(await gone).toBe('gone')
    const isBilled = cell.stream && cell.behaviour === 'abort, sent is billed'
    await until('the upstream has noticed', () => !isBilled || billed(cell) > 0n)
    expect(billed(cell) > 0n).toBe(isBilled)
  },
)
