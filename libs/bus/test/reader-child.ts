import { anonymous } from '@callboard/contract'
import { natsBus } from '../src/index.ts'
import { READ_BY_CHILD } from './read-by-child.ts'

/** Reads one chunk, reports it, and takes no other: a test kills it. */
const bus = await natsBus(process.argv[2] ?? '', 'suite', { heartbeat: { everyMs: 40, idleTimeoutMs: 400 } })
const stream = bus.stream(READ_BY_CHILD, {}, { caller: anonymous, requestId: 'child', timeoutMs: 60_000 })
const { value } = await stream.next()
process.send?.(value)
