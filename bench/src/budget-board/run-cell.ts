import { setTimeout as wait } from 'node:timers/promises'
import { PAUSE } from './answers.ts'
import { bodyOf, PATHS } from './asking.ts'
import type { BoardGateway, BudgetKey } from './board-gateway.ts'
import { type Cell, isAborted } from './cells.ts'
import type { Upstream } from './upstream.ts'

const AT_ONCE = 64
/** About twice as many as the budget affords, if calls cost anything. */
const MOST_CALLS = 128
const PATIENCE_MS = 60_000
/** How long after the upstream's pause a client leaves that sees nothing of the answer. */
const LEAVES_MS = { whole: 30, streamed: 3_000 }

/** How a cell's calls ended for their client. */
export interface Ran {
  readonly answered: number
  readonly refused: number
  /** Neither of the two, with the first error. */
  readonly failed: number
  readonly firstFailure: string | undefined
}

type Outcome = 'answered' | 'refused' | { readonly failure: string }

/** Sends calls, 64 at once, each worker until the key is refused, or until the maximum was sent. */
export async function runCell(gateway: BoardGateway, key: BudgetKey, upstream: Upstream, cell: Cell): Promise<Ran> {
  const counts = { answered: 0, refused: 0, failed: 0 }
  let firstFailure: string | undefined
  let sent = 0
  const worker = async () => {
    while (sent < MOST_CALLS) {
      sent += 1
      const outcome = await askOnce(gateway, key, upstream, { cell, call: sent })
      if (typeof outcome === 'object') {
        counts.failed += 1
        firstFailure ??= outcome.failure
        continue
      }
      counts[outcome] += 1
      if (outcome === 'refused') return
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return { ...counts, firstFailure }
}

interface Numbered {
  readonly cell: Cell
  readonly call: number
}

async function askOnce(
  gateway: BoardGateway,
  key: BudgetKey,
  upstream: Upstream,
  { cell, call }: Numbered,
): Promise<Outcome> {
  const { surface, stream, behaviour } = cell
  const over = new AbortController()
  const late = setTimeout(() => over.abort(), PATIENCE_MS)
  if (isAborted(cell)) {
    const leaves = () => wait(stream ? LEAVES_MS.streamed : LEAVES_MS.whole, undefined, { signal: over.signal })
    void upstream
      .paused(cell, call)
      .then(leaves)
      .then(
        () => over.abort(),
        () => {},
      )
  }
  try {
    const answer = await fetch(gateway.baseUrl + PATHS[surface], {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...key.headers },
      body: JSON.stringify(bodyOf(cell, call, gateway.modelFor(surface, behaviour))),
      signal: over.signal,
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      if (isAborted(cell) && text.includes(PAUSE)) over.abort()
    }
    if (answer.ok) return 'answered'
    return gateway.isRefusal(answer.status, text) ? 'refused' : { failure: `${answer.status}: ${text.slice(0, 300)}` }
  } catch (error) {
    return isAborted(cell) && over.signal.aborted ? 'answered' : { failure: String(error) }
  } finally {
    clearTimeout(late)
    over.abort()
  }
}
