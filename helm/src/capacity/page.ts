import { targetWork } from '../work-measures.ts'
import {
  CHAINS,
  INCIDENTS,
  LISTINGS,
  MEASURE_AGE_SECONDS,
  ORIGINS,
  PEAK,
  PRICES,
  START_SECONDS,
  STREAM,
  VISIT_SECONDS,
} from './assumptions.ts'
import { connectionsOfAReplica, EXAMPLE, quantity, valuesOf } from './chart-values.ts'
import { blocksPerSecond, cpuCosts, indexOf, memoryMib } from './costs-of-work.ts'
import { kept } from './measured.ts'
import { byHour, shown, table } from './page-tables.ts'
import { connections, FIXED, meanShare, millionUsd, rpcCalls, traffic, weekMillions, weekUsd } from './sums.ts'
import { type Week, weeks } from './week.ts'

const source = (...figures: readonly string[]) =>
  `Measured: ${figures.map((figure) => `\`npm run bench -- ${figure}\` (${kept(figure).date}, ${kept(figure).machine})`).join(', ')}.`

const each = (millis: number) => `${shown(millis)} ms`

function load(): string {
  const { search, payment, modelCall } = cpuCosts()
  const pieces = STREAM.seconds * STREAM.pieces
  const stream = ({ call, piece }: { call: number; piece: number }) => each(call + piece * pieces)
  const rows = [
    [
      'search in discovery',
      `${shown(PEAK.searches)} /s`,
      `gateway ${each(search.gateway)}, catalog ${each(search.catalog)}`,
    ],
    [
      'payment, verified and settled',
      `${shown(PEAK.payments)} /s`,
      Object.entries(payment)
        .map(([target, ms]) => `${target} ${each(ms)}`)
        .join(', '),
    ],
    [
      `streamed model call, ${STREAM.seconds} s of ${STREAM.pieces} pieces per second`,
      `${shown(PEAK.modelCalls)} /s`,
      `gateway ${stream(modelCall.gateway)}, router ${stream(modelCall.router)}`,
    ],
  ]
  return table(['kind of call', 'rate at the busiest hour', 'CPU per call'], rows)
}

function visits(): string {
  const said = ORIGINS.map(
    ({ kind, origins, everySeconds }) => `${shown(origins)} ${kind} origins every ${shown(everySeconds)} s`,
  )
  return `${said.join(' and ')}; a visit takes ${VISIT_SECONDS} s`
}

const assumed = (): string =>
  [
    `- A day is busiest at 15:00, and the night has a quarter of that load. A weekend has 60 %. The average over the week is ${shown(100 * meanShare())} % of the peak.`,
    `- Tuesday, 12:00: ${INCIDENTS.rush.times} times the load for twenty minutes. Thursday, 10:00: visits to sellers take ${INCIDENTS.slowSellers.visitSeconds} s each for two hours. Friday, 09:00: ${CHAINS[1].network} is read again from ${INCIDENTS.history.days} days back, at ${shown(blocksPerSecond())} blocks per second.`,
    `- There are ${shown(LISTINGS)} listings. The prober visits ${visits()}.`,
    `- A pod is ready ${START_SECONDS} s after it is requested, and a measure is ${MEASURE_AGE_SECONDS} s old when the autoscaler sees it. The delay of the event loop is that of a queue with one server.`,
    `- A core costs ${PRICES.coreHour} USD per hour, and a GiB of memory ${PRICES.gibHour} USD. Set your own prices in \`helm/src/capacity/assumptions.ts\`.`,
  ].join('\n')

function replicas(all: readonly Week[]): string {
  const rows = all.map(({ target, hours, replicaHours, changes, overloadedMinutes }) => {
    const { kind, minReplicas, maxReplicas } = valuesOf(target).autoscaling
    const most = Math.max(...hours)
    return [
      `\`${target}\``,
      kind,
      `${minReplicas} to ${maxReplicas}`,
      shown(replicaHours / 168),
      most,
      changes,
      shown(overloadedMinutes),
    ]
  })
  const head = ['target', 'kind', 'replica range', 'average', 'maximum', 'changes', 'minutes with more work than cores']
  const tables = all.map((week) => `### ${week.target}\n\n${worst(week)}\n\n${byHour(week.hours)}`)
  return [table(head, rows), ...tables].join('\n\n')
}

function worst({ target, worst: shownWorst }: Week): string {
  const { kind, targetCPUUtilizationPercentage: cpu } = valuesOf(target).autoscaling
  const measures = kind === 'work' ? Object.keys(targetWork()[target]?.metrics ?? {}) : []
  const resources = kind === 'work' ? (targetWork()[target]?.resources ?? []) : ['cpu']
  const by = [
    ...resources.map((one) => (one === 'cpu' ? `CPU at ${cpu} %` : one)),
    ...measures.map((one) => `\`${one}\``),
  ]
  const said = measures.map((name) => `\`${name}\` ${shown(shownWorst[name] ?? 0)}`)
  return `Scaled by ${by.join(', ')}.${said.length > 0 ? ` Peak: ${said.join(', ')}.` : ''}`
}

function memory(): string {
  const rows = [10_000, 100_000, 200_000, 500_000, 1_000_000].map((listings) => {
    const whole = memoryMib('catalog', listings)
    return [
      shown(listings),
      `${shown(indexOf(listings))} MiB`,
      `${shown(whole)} MiB`,
      `${Math.ceil((whole * 1.3) / 128) * 128}Mi`,
    ]
  })
  return table(['listings', 'index', 'catalog process', '`resources.requests.memory`, with 30 % to spare'], rows)
}

function rpc(): string {
  const rows = [
    'JSON-RPC calls',
    '– eth_call',
    '– eth_sendRawTransactionSync',
    '– eth_getLogs',
    '– eth_getBlockByNumber',
    '– eth_getTransactionByHash',
  ].map((row) => {
    const { alone, together, idle } = rpcCalls(row)
    return [row, shown(alone), shown(together), shown(idle)]
  })
  return table(['per payment', 'one after the other', '16 at once', 'idle, per second'], rows)
}

function money(all: readonly Week[]): string {
  const fixed = FIXED.map((target) => ({
    target,
    replicaHours: 168 * valuesOf(target).replicas,
    most: valuesOf(target).replicas,
  }))
  const scaled = all.map(({ target, replicaHours, hours }) => ({ target, replicaHours, most: Math.max(...hours) }))
  const rows = [...scaled, ...fixed].map(({ target, replicaHours, most }) => {
    const { cpu, memory: mib } = valuesOf(target).resources.requests
    return [
      target,
      `${quantity(cpu)} cores, ${quantity(mib)} MiB`,
      weekUsd(target, replicaHours),
      weekUsd(target, 168 * most),
    ] as const
  })
  const sum = (at: 2 | 3) => rows.reduce((total, row) => total + row[at], 0)
  const millions = weekMillions()
  const { search, payment, modelCall } = millionUsd()
  return [
    table(
      ['target', 'resource requests per replica', 'USD per week', 'USD per week, fixed at the maximum'],
      [
        ...rows.map(([target, asks, ours, most]) => [target, asks, shown(ours), shown(most)]),
        ['all', '', shown(sum(2)), shown(sum(3))],
      ],
    ),
    `A week has ${shown(millions)} million calls, so **a million calls cost ${shown(sum(2) / millions)} USD**, and ${shown(sum(3) / millions)} USD with fixed replica numbers that withstand the rush. The work itself costs, per million of each kind: ${shown(search)} USD for searches, ${shown(payment)} USD for payments, ${shown(modelCall)} USD for streamed model calls. The rest is headroom. Postgres, NATS, Redis, RPC endpoints, gas and the models are not included.`,
  ].join('\n\n')
}

/** What causes messages, as the page says it; the keys are those of the kept figure. */
const CAUSES: Readonly<Record<string, string>> = {
  'at rest, a second': 'an idle instance',
  'a search': 'searches',
  'a payment': 'payments',
}

/** docs/capacity.md. @param hasTables whether a target connects to Postgres */
export function capacityPage(hasTables: (target: string) => boolean): string {
  const all = weeks()
  const open = connections(all, hasTables)
  const messages = traffic()
  const { alone, together } = rpcCalls('JSON-RPC calls')
  const total = (at: 1 | 2) => messages.reduce((sum, row) => sum + row[at], 0)
  return `# Capacity

Generated by \`npm run helm:gen\` from the chart’s values (\`${EXAMPLE}\`), from measurements (\`bench/results\`) and from the
assumptions below; \`npm run check\` fails if the page is stale. The page is a simulation: the algorithm of the HorizontalPodAutoscaler
(\`helm/src/capacity/autoscaler.ts\`) decides every 15 seconds of a week. \`helm/test/real-controller.test.ts\` compares each decision
with that of Kubernetes’ own controller, which runs with fake clients in simulated time. It was not run on a cluster.

## Load

${load()}

${source('footprint', 'router', 'discovery', 'indexing')} The CPU per piece was measured with pieces that arrive as fast as possible, several to a packet. Paced pieces cost more.

${assumed()}

## Replicas by hour

The tables by target show the highest number of replicas in each hour, UTC.

${replicas(all)}

## Connections to Postgres

Each replica opens at most its pool (\`DATABASE_POOL_SIZE\`, ${connectionsOfAReplica() - 1}) and one connection that listens. The total is ${shown(Math.max(...open))} at the busiest hour and ${shown(Math.min(...open))} at the quietest.
During a rolling update a target may have twice as many replicas for a while: Kubernetes makes the next new one without waiting for an
old one that still finishes its work. The sum that the chart prints after an install counts this, with every target at its
\`maxReplicas\`, and \`postgres.maxConnections\` compares it with the server’s limit.

${byHour(open)}

## Memory by listings

Each catalog keeps the whole index, so additional replicas do not reduce the memory of the others. Scaling by memory only shows that the memory
request is too small.

${memory()}

${source('discovery', 'footprint')} Between and beyond the measured sizes, the index grows linearly.

## RPC calls per payment

${rpc()}

${source('payment-cost')} At ${shown(PEAK.payments)} payments per second that is ${shown(PEAK.payments * together)} calls per second if payments share transactions, and ${shown(PEAK.payments * alone)} if none do.
One replica follows each chain, however many replicas there are.

## Messages per second

${table(
  ['at the busiest hour', 'messages', 'MB'],
  [
    ...messages.map(([what, count, bytes]) => [CAUSES[what] ?? what, shown(count), shown(bytes / 1e6)]),
    ['all', shown(total(1)), shown(total(2) / 1e6)],
  ],
)}

${source('footprint')} These are published messages. Pieces of streams come on top, with at most one message each: ${shown(PEAK.modelCalls * STREAM.seconds * STREAM.pieces)} per second.

## Cost of a million calls

${money(all)}
`
}
