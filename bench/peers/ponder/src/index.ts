import { ponder } from 'ponder:registry'
import { transfer } from 'ponder:schema'

ponder.on('USDC:Transfer', async ({ event, context }) => {
  await context.db.insert(transfer).values({
    id: event.id,
    txHash: event.transaction.hash,
    logIndex: event.log.logIndex,
    blockNumber: event.block.number,
    observedAt: event.block.timestamp,
    payer: event.args.from,
    payTo: event.args.to,
    amount: event.args.value,
  })
})
