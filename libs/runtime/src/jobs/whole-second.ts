import { SECOND_MS } from '@callboard/values'

interface Turn {
  readonly timer: NodeJS.Timeout
  readonly wakes: Set<() => void>
}

/** The waiters, by the whole second of this process at which they wake. */
const turns = new Map<number, Turn>()

/**
 * Calls `wake` after about `ms`, at a whole second of this process, so that all waiters wake in one turn of the event
 * loop. Waking an idle process costs a fifth of a millisecond of CPU, more than what most waiters then do. Seconds are
 * counted from the start of the process, so replicas do not wake together.
 * @param ms a second or more; the wait may be up to half a second shorter or longer
 * @returns a function that ends the wait
 */
export function atWholeSecond(ms: number, wake: () => void): () => void {
  const now = performance.now()
  const second = Math.round((now + ms) / SECOND_MS)
  const turn = turns.get(second) ?? open(second, second * SECOND_MS - now)
  turn.wakes.add(wake)
  return () => {
    turn.wakes.delete(wake)
    if (turn.wakes.size > 0 || turns.get(second) !== turn) return
    clearTimeout(turn.timer)
    turns.delete(second)
  }
}

function open(second: number, inMs: number): Turn {
  const wakes = new Set<() => void>()
  const timer = setTimeout(() => {
    turns.delete(second)
    for (const wake of wakes) wake()
  }, inMs)
  const turn = { timer, wakes }
  turns.set(second, turn)
  return turn
}
