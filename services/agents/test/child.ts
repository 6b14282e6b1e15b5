import { agents } from '@callboard/contract'
import { oauth } from '@callboard/oauth'
import { startTestServices } from '@callboard/testkit'
import { agents as service } from '../src/index.ts'
import { aRouter, routerState } from './a-router.ts'

/** The services in a process of their own, so that a test can kill it. Decides and unlinks what its parent sends. */
const services = await startTestServices([oauth, aRouter(routerState()), service], {
  databaseUrl: process.env.DATABASE_URL ?? '',
  env: process.env,
})
process.on('message', ({ what, input, caller }: { what: 'decideLink' | 'unlink'; input: never; caller: never }) => {
  void services.call(agents[what], input, { caller }).then((answer) => process.send?.(answer))
})
process.send?.('ready')
