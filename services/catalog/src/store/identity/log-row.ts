import type { ObservedIdentity, Sequenced } from '@callboard/contract'

/** The columns that identify the log and the agent of a row. */
export const logRow = (said: Sequenced<ObservedIdentity>, reverted: boolean) => ({
  ...{ network: said.network, tx_hash: said.txHash, log_index: said.logIndex },
  ...{ block_number: Number(said.blockNumber), observed_at: new Date(said.observedAt) },
  ...{ registry: said.registry, agent_id: said.agentId, change: said.change, reverted, sequence: said.sequence },
})
