import { eventsOf, settlementAttributed } from '@callboard/contract'
import type { CatalogBatchConsumer } from '../context.ts'
import { lockPayments } from '../store/locks.ts'
import { keepSubmissions } from '../store/settlement.repository.ts'

/** Keeps who submitted settlements that were observed without a facilitator; either event may come first. */
export const onSettlementsAttributed: CatalogBatchConsumer = async (events, { tx }) => {
  const submissions = eventsOf(settlementAttributed, events).map(({ data }) => data)
  await lockPayments(tx, { settlements: submissions, payments: [], payees: [] })
  await keepSubmissions(tx, submissions)
}
