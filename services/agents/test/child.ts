import { agents } from '@callboard/contract'
import { oauth } from '@callboard/oauth'
import { startTestServices } from '@callboard/testkit'
import { agents as service } from '../src/index.ts'
import { fakeRouter, routerState } from './fake-router.ts'
import type { Killed } from './killed.ts'

/** Runs the services in a process that a test can kill, and does what its parent sends. */
const services = await startTestServices([oauth, fakeRouter(routerState()), service], {
  databaseUrl: process.env.DATABASE_URL ?? '',
  env: process.env,
})
type Sent = Pick<Killed, 'what'> & { readonly input: never; readonly caller: never }
process.on('message', ({ what, input, caller }: Sent) => {
  void services.call(agents[what], input, { caller }).then((answer) => process.send?.(answer))
})
process.send?.('ready')
