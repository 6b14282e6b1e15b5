import { eventsOf, settlementAttributed } from '@callboard/contract'
import type { CatalogBatchConsumer } from '../context.ts'
import { lockPayments } from '../store/locks.ts'
import { keepSubmissions } from '../store/settlement.repository.ts'

/** Who brought settlements that were observed without it, known before or after they are. */
export const onSettlementsAttributed: CatalogBatchConsumer = async (events, { tx }) => {
  const submissions = eventsOf(settlementAttributed, events).map(({ data }) => data)
  await lockPayments(tx, { settlements: submissions, payments: [], payees: [] })
  await keepSubmissions(tx, submissions)
}
