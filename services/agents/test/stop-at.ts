import { subscribe } from 'node:diagnostics_channel'
import { MOMENTS, MOMENTS_CHANNEL } from '../src/links/moments.ts'

/**
 * Kills the process (SIGKILL) in which it is loaded when a link comes to the moment that `STOP_AT` names, one of MOMENTS
 * in src/links/moments.ts. No service reads it.
 */
const { STOP_AT: name } = process.env
if (!MOMENTS.some((moment) => moment === name)) throw new Error(`STOP_AT=${name} is none of ${MOMENTS.join(', ')}`)
subscribe(MOMENTS_CHANNEL, (moment) => {
  if (moment === name) process.kill(process.pid, 'SIGKILL')
})
