import { SECOND_MS } from '@callboard/values'

interface Turn {
  readonly timer: NodeJS.Timeout
  readonly wakes: Set<() => void>
}

/** Those that wait, by the whole second of this process at which they wake. */
const turns = new Map<number, Turn>()

/**
 * Calls `wake` after about `ms`, at a whole second of this process: all that rest wake in one turn of the event loop. To wake at all costs a
 * process at rest a fifth of a millisecond of CPU, more than what most of them do then. Seconds are counted from the start of the
 * process, so replicas do not wake together.
 * @param ms a second or more; half a second less or more is waited
 * @returns ends the wait
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
