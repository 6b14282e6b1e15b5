import type { ObservedIdentity, Sequenced } from '@callboard/contract'
import type { CatalogTx } from '../tables.ts'
import { keepAgentChange } from './agent.repository.ts'
import { keepFeedback } from './feedback.repository.ts'

/** Writes a registry's log entry, or that its block left the chain. Of two events about one log, the later wins. */
export function keepIdentity(tx: CatalogTx, said: Sequenced<ObservedIdentity>, reverted: boolean): Promise<unknown> {
  switch (said.change) {
    case 'feedback_given':
    case 'feedback_revoked':
    case 'feedback_answered':
      return keepFeedback(tx, said, reverted)
    default:
      return keepAgentChange(tx, said, reverted)
  }
}
