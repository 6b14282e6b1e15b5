import { startTestServices } from '@callboard/testkit'
import { contract, tally } from './tally.ts'

/** The service in a separate process, which dies at its environment's failpoint. Publishes what its parent sends. */
const { DATABASE_URL = '', OWN_NATS_URL } = process.env
const services = await startTestServices([tally], {
  databaseUrl: DATABASE_URL,
  eventsLinger: true,
  ...(OWN_NATS_URL ? { natsUrl: OWN_NATS_URL } : {}),
})
process.on('message', (keys: string[]) => void services.call(contract.make, { keys }))
process.send?.('ready')
