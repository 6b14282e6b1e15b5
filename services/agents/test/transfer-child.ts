import { agents } from '@callboard/contract'
import { oauth } from '@callboard/oauth'
import { startTestServices } from '@callboard/testkit'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { agents as service } from '../src/index.ts'

/** Runs the services in a process that a test can kill, and relays what its parent sends. */
const services = await startTestServices([oauth, x402Facilitator, service], {
  databaseUrl: process.env.DATABASE_URL ?? '',
  env: process.env,
})
process.on('message', ({ input, caller }: { input: never; caller: never }) => {
  void services.call(agents.relayTransfer, input, { caller }).then((answer) => process.send?.(answer))
})
process.send?.('ready')
