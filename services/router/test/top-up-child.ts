import { router as operations } from '@callboard/contract'
import { startTestServices } from '@callboard/testkit'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { router } from '../src/index.ts'

/** Runs the services in a process that a test can kill, and relays what its parent sends. */
const services = await startTestServices([x402Facilitator, router], {
  databaseUrl: process.env.DATABASE_URL ?? '',
  env: process.env,
})
process.on('message', ({ input, meta }: { input: never; meta: never }) => {
  void services.call(operations.topUp, input, meta).then((answer) => process.send?.(answer))
})
process.send?.('ready')
