import { subscribe } from 'node:diagnostics_channel'
import { type FailpointHit, failpointChannel } from '@callboard/runtime/failpoints'

/**
 * Kills (SIGKILL) the process that imports it when work reaches a failpoint:
 *
 * FAILPOINT=x402-facilitator:stored FAILPOINT_ITEMS=2 node --import @callboard/testkit/kill-at-failpoint …
 *
 * `FAILPOINT` is a service and one of its failpoints. `FAILPOINT_ITEMS` ignores hits with fewer pieces of work, so that
 * 2 means a batch; default 1. Services read neither.
 */
const { FAILPOINT, FAILPOINT_ITEMS = '1' } = process.env
if (FAILPOINT !== undefined) {
  const [service, name] = FAILPOINT.split(':')
  if (!service || !name)
    throw new Error(`FAILPOINT=${FAILPOINT} names no service and failpoint, as x402-facilitator:stored`)
  subscribe(failpointChannel(service), (message) => {
    const hit = message as FailpointHit
    if (hit.name === name && hit.items >= Number(FAILPOINT_ITEMS)) process.kill(process.pid, 'SIGKILL')
  })
}
