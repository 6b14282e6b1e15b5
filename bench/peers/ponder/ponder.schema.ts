import { onchainTable } from 'ponder'

export const transfer = onchainTable('transfer', (t) => ({
  id: t.text().primaryKey(),
  txHash: t.hex().notNull(),
  logIndex: t.integer().notNull(),
  blockNumber: t.bigint().notNull(),
  observedAt: t.bigint().notNull(),
  payer: t.hex().notNull(),
  payTo: t.hex().notNull(),
  amount: t.bigint().notNull(),
}))
