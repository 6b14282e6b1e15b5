import type { Redis } from 'ioredis'

/**
 * Lets the commands of one turn of the loop leave in one write. ioredis' own automatic pipelines do that too, but
 * cost a command that comes alone half as much again, and let those of the next turn wait for the answers of this one.
 */
export function inOneWrite(redis: Redis): () => void {
  let isHeld = false
  return () => {
    if (isHeld || redis.status !== 'ready') return
    isHeld = true
    const { stream } = redis
    stream.cork()
    setImmediate(() => {
      isHeld = false
      stream.uncork()
    })
  }
}
