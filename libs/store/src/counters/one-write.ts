import type { Redis } from 'ioredis'

/**
 * Lets the commands of one turn of the loop leave in one write. ioredis' own automatic pipelines do that too, but
 * cost a command that comes alone half as much again, and let those of the next turn wait for the answers of this one.
 * @returns to be called before a command; what it is given is called at the end of the turn, before that write
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
