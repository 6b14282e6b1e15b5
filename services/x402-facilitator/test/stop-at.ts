import { subscribe } from 'node:diagnostics_channel'
import { MOMENTS, MOMENTS_CHANNEL, type Moment } from '../src/settlement/moments.ts'

/**
 * Kills the process (SIGKILL) in which it is loaded when a settlement comes to a named moment:
 *
 *     STOP_AT=stored STOP_AT_PAYMENTS=2 node --import ./services/x402-facilitator/test/stop-at.ts …
 *
 * `STOP_AT` is one of MOMENTS in src/settlement/moments.ts. `STOP_AT_PAYMENTS` passes over moments of fewer payments, so
 * that 2 means a batch; default 1. No service reads either.
 */
const { STOP_AT: name, STOP_AT_PAYMENTS: payments = '1' } = process.env
if (name !== undefined) {
  if (!MOMENTS.some((moment) => moment === name)) throw new Error(`STOP_AT=${name} is none of ${MOMENTS.join(', ')}`)
  subscribe(MOMENTS_CHANNEL, (message) => {
    const moment = message as Moment
    if (moment.name === name && moment.payments >= Number(payments)) process.kill(process.pid, 'SIGKILL')
  })
}
