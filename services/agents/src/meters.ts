import type { Collectors, Sample } from '@callboard/runtime'
import { Gauge, Histogram, type Registry } from 'prom-client'
import { countLinks } from './store/link.repository.ts'
import type { AgentsDb, LinkTable } from './store/tables.ts'

/** The states of a link that is not over. */
const STANDING_STATES = ['approving', 'live', 'ending'] as const satisfies LinkTable['state'][]

/** Who approves a link: its owner, or a trusted device. */
const APPROVERS = ['owner', 'trusted_device'] as const satisfies LinkTable['approved_by'][]
export type Approver = (typeof APPROVERS)[number]

/** The metrics of links. */
export interface AgentsMeters {
  readonly approvalSeconds: Histogram<'approved_by'>
  readonly links: Gauge<'state'>
}

export function agentsMeters(registry: Registry): AgentsMeters {
  const approvalSeconds = new Histogram({
    name: 'callboard_link_approval_seconds',
    help: 'Time from an agent’s link request to its approval, by who approved: owner, trusted_device.',
    labelNames: ['approved_by'],
    // A request is valid for twenty minutes.
    buckets: [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_200],
    registers: [registry],
  })
  for (const by of APPROVERS) approvalSeconds.zero({ approved_by: by })
  return {
    approvalSeconds,
    links: new Gauge({
      name: 'callboard_links',
      help: 'Links of agents that have not ended, by state: approving, live, ending. All replicas show the same.',
      labelNames: ['state'],
      registers: [registry],
    }),
  }
}

/** Counts links whenever `/metrics` is read. */
export function readLinks({ links }: AgentsMeters, collectors: Collectors, db: AgentsDb): void {
  collectors.add('agents links', async () => {
    const counts = await countLinks(db)
    return STANDING_STATES.map((state): Sample => ({ gauge: links, labels: { state }, value: counts.get(state) ?? 0 }))
  })
}
