import { setTimeout as wait } from 'node:timers/promises'
import type { Gateway } from './gateway.ts'
import { memoryOf } from './memory.ts'
import { type Frames, pacedStreams } from './paced.ts'

/** Many streams at once; memory in MiB. */
export interface Held extends Frames {
  readonly idle: number
  /** The peak while they ran. */
  readonly busy: number
  readonly after: number
}

const LOOK_MS = 250
/** A heap releases memory some time after its last use. */
const REST_MS = 10_000
/** A stream takes 1.3 s, and longer where its gateway is too slow for all of them. */
const PATIENCE_MS = 15_000

/** Processes that no call passes through, or that keep a cache of their own. */
const UNWATCHED: readonly string[] = ['postgres', 'other services']

/** Opens paced streams, and watches the memory of the processes they pass through. */
export async function heldStreams(gateway: Gateway, streams: number): Promise<Held> {
  const watched = Object.keys(gateway.processes).filter((name) => !UNWATCHED.includes(name))
  const memory = () => memoryOf(gateway, ...watched)
  const idle = memory()
  let busy = idle
  const looking = setInterval(() => {
    busy = Math.max(busy, memory())
  }, LOOK_MS)
  const frames = await pacedStreams(gateway, streams, PATIENCE_MS).finally(() => clearInterval(looking))
  await wait(REST_MS)
  return { ...frames, idle, busy, after: memory() }
}
