import type { Redis } from 'ioredis'

/**
 * Sends the commands of one turn of the event loop in one write. ioredis' own automatic pipelining does so too, but
 * makes a single command half as expensive again, and makes the next turn's commands wait for this one's answers.
 * @returns a function to call before a command; its argument is called at the end of the turn, before that write
 */
export function inOneWrite(redis: Redis): (last?: () => void) => void {
  let isHeld = false
  const lasts: (() => void)[] = []
  return (last) => {
    if (last) lasts.push(last)
    if (isHeld) return
    isHeld = true
    const stream = redis.status === 'ready' ? redis.stream : undefined
    stream?.cork()
    setImmediate(() => {
      isHeld = false
      for (const work of lasts.splice(0)) work()
      stream?.uncork()
    })
  }
}
