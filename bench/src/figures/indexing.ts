import { rmSync } from 'node:fs'
import { startPostgres } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import { findNats } from '../../../libs/testkit/src/servers/index.ts'
import type { Comparison, Figure } from '../figure.ts'
import { BLOCKS, filledChain } from '../indexing/chain.ts'
import { indexWithOurs } from '../indexing/ours.ts'
import { indexWithPonder } from '../indexing/ponder.ts'
import type { Run } from '../indexing/run.ts'

/** Of several runs the median by CPU counts. */
const RUNS = 3

export const figure: Figure = {
  title: 'Indexing of settlements',
  method:
    'The chain is anvil under Base’s chain id, with 50,000 payments in 100 blocks, each an AuthorizationUsed and a Transfer of USDC, followed by 200 empty blocks. The chain-indexer reads them over JSON-RPC and commits rows, outbox events and its cursor (Postgres 18, fsync on). Every row and event is compared with what was sent. The peer is Ponder on the same chain and Postgres, cold, which reads only the transfers. Ours counts from before its start (migrations included), Ponder from its first line about the backfill. Of three runs of ours, the median by CPU counts; Ponder runs once.',
  async run() {
    const dataDir = temporaryFolder('callboard-bench-')
    const postgres = await startPostgres({ dataDir, fsync: true })
    const chain = await filledChain()
    const nats = await findNats()
    try {
      const runs: Run[] = []
      for (let run = 0; run < RUNS; run += 1) runs.push(await indexWithOurs(chain, postgres, { upTo: 'outbox' }))
      const ours = runs.toSorted((a, b) => a.cpuMs - b.cpuMs)[RUNS >> 1]
      if (!ours) throw new Error('nothing was run')
      const relayed =
        nats.kind === 'running' ? await indexWithOurs(chain, postgres, { upTo: 'bus', natsUrl: nats.url }) : undefined
      const ponder = await indexWithPonder(chain, postgres, BLOCKS)
      const settlements = chain.sent.length
      const perSecond = ({ wallMs }: Run) => (settlements * 1_000) / wallMs
      const micros = (ms: number) => (ms * 1_000) / settlements
      const comparisons: Comparison[] = [
        {
          what: 'settlements committed, with their events',
          unit: '/s',
          better: 'more',
          ours: perSecond(ours),
          peer: { name: 'Ponder', value: perSecond(ponder) },
          target: { value: 15_000 },
        },
        {
          what: 'CPU of the indexing process per settlement',
          unit: 'µs',
          better: 'less',
          ours: micros(ours.cpuMs),
          peer: { name: 'Ponder', value: micros(ponder.cpuMs) },
          target: { value: 60 },
        },
        {
          what: 'CPU of Postgres per settlement',
          unit: 'µs',
          better: 'less',
          ours: micros(ours.postgresCpuMs),
          peer: { name: 'Ponder', value: micros(ponder.postgresCpuMs) },
        },
        {
          what: 'rows and events that differ from the chain',
          unit: '',
          better: 'less',
          ours: runs.concat(relayed ?? []).reduce((sum, run) => sum + run.differences, 0),
          target: { value: 0 },
        },
      ]
      if (relayed)
        comparisons.push(
          { what: 'settlements acknowledged by JetStream', unit: '/s', better: 'more', ours: perSecond(relayed) },
          { what: 'CPU per settlement, relay included', unit: 'µs', better: 'less', ours: micros(relayed.cpuMs) },
        )
      return {
        versions: { ponder: '0.16.10' },
        comparisons,
        notes: [
          'The senders of the transactions are read after the history, not with it, and are not part of this. anvil recovers each sender’s signature again (some 250 µs of its CPU), and Ponder waits for that because it reads whole blocks.',
          ...(relayed ? [] : ['Nothing was relayed: this machine has no nats-server.']),
        ],
      }
    } finally {
      if (nats.kind === 'running') await nats.stop()
      await chain.anvil.stop()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
