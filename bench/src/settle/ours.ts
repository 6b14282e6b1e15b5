import { x402Facilitator as operations } from '@callboard/contract'
import { granted, startTestServices } from '@callboard/testkit'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { serveOrders } from './side.ts'

/** Our facilitator in its normal form: the whole service, called over the bus. */
const services = await startTestServices([x402Facilitator], {
  databaseUrl: process.env.DATABASE_URL ?? '',
  env: process.env,
})
serveOrders(
  async (payment) => {
    const answer = granted(await services.call(operations.settle, payment))
    return { success: answer.success, transaction: answer.transaction, errorReason: answer.errorReason ?? '' }
  },
  () => services.stop(),
)
