import type { Hex } from '@callboard/values'
import { referenceFacilitator } from './reference-facilitator.ts'
import { serveOrders } from './side.ts'

const facilitator = referenceFacilitator({
  rpcUrl: process.env.RPC_URL ?? '',
  chainId: Number(process.env.CHAIN_ID),
  key: process.env.KEY as Hex,
})
serveOrders(
  async ({ paymentPayload, paymentRequirements }) => {
    const answer = await facilitator.settle(paymentPayload as never, paymentRequirements as never)
    return { success: answer.success, transaction: answer.transaction, errorReason: answer.errorReason ?? '' }
  },
  async () => {},
)
