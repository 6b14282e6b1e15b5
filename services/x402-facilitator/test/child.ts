import { x402Facilitator as operations } from '@callboard/contract'
import { startTestServices } from '@callboard/testkit'
import { x402Facilitator } from '../src/index.ts'

/** The service in its own process, so that a test can kill it. Settles what its parent sends, a list all at once. */
const services = await startTestServices([x402Facilitator], {
  databaseUrl: process.env.DATABASE_URL ?? '',
  env: process.env,
})
process.on('message', (requests) => {
  for (const request of [requests].flat()) {
    void services.call(operations.settle, request as never).then((answer) => process.send?.(answer))
  }
})
process.send?.('ready')
