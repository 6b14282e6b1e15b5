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
      'search of discovery',
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
      `streamed model call, ${STREAM.seconds} s of ${STREAM.pieces} pieces a second`,
      `${shown(PEAK.modelCalls)} /s`,
      `gateway ${stream(modelCall.gateway)}, router ${stream(modelCall.router)}`,
    ],
  ]
  return table(['kind', 'at the busiest hour', 'CPU of one'], rows)
}

function visits(): string {
  const said = ORIGINS.map(
    ({ kind, origins, everySeconds }) => `${shown(origins)} ${kind} every ${shown(everySeconds)} s`,
  )
  return `${said.join(', ')}; a visit takes ${VISIT_SECONDS} s`
}

const assumed = (): string =>
  [
    `- A day is busiest at 15:00 and has a quarter of that at night; a weekend has 60 %. On average it is ${shown(100 * meanShare())} % of the peak.`,
    `- Tuesday, 12:00: ${INCIDENTS.rush.times} times the load for twenty minutes. Thursday, 10:00: sellers take ${INCIDENTS.slowSellers.visitSeconds} s for a visit, for two hours. Friday, 09:00: ${CHAINS[1].network} is read anew from ${INCIDENTS.history.days} days back, at ${shown(blocksPerSecond())} blocks a second.`,
    `- ${shown(LISTINGS)} listings. Origins: ${visits()}.`,
    `- A pod is ready ${START_SECONDS} s after it is asked for; a measure is ${MEASURE_AGE_SECONDS} s old when the autoscaler sees it. The event loop’s delay is that of a queue with one server.`,
    `- A core costs ${PRICES.coreHour} USD an hour, a GiB of memory ${PRICES.gibHour} USD. Put in yours: \`helm/src/capacity/assumptions.ts\`.`,
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
  const head = ['target', 'kind', 'replicas', 'on average', 'at most', 'changes', 'minutes with more work than cores']
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
  const said = measures.map((name) => `\`${name}\` at worst ${shown(shownWorst[name] ?? 0)}`)
  return `By ${by.join(', ')}.${said.length > 0 ? ` ${said.join(', ')}.` : ''}`
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
  return table(['of a payment', 'one after the other', '16 at once', 'at rest, a second'], rows)
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
      ['target', 'each replica requests', 'a week, USD', 'fixed at its most, USD'],
      [
        ...rows.map(([target, asks, ours, most]) => [target, asks, shown(ours), shown(most)]),
        ['all', '', shown(sum(2)), shown(sum(3))],
      ],
    ),
    `A week has ${shown(millions)} million calls, so **a million calls cost ${shown(sum(2) / millions)} USD**, and ${shown(sum(3) / millions)} USD with fixed numbers that stand the rush. Of that the work itself is, for a million each: ${shown(search)} USD of searches, ${shown(payment)} USD of payments, ${shown(modelCall)} USD of streamed model calls; the rest is room to spare. Postgres, NATS, Redis, RPC endpoints, gas and the models are not in it.`,
  ].join('\n\n')
}

/** docs/capacity.md. @param hasTables whether a target speaks with Postgres */
export function capacityPage(hasTables: (target: string) => boolean): string {
  const all = weeks()
  const open = connections(all, hasTables)
  const messages = traffic()
  const { alone, together } = rpcCalls('JSON-RPC calls')
  const total = (at: 1 | 2) => messages.reduce((sum, row) => sum + row[at], 0)
  return `# Capacity

Generated by \`npm run helm:gen\` from the chart’s values (\`${EXAMPLE}\`), from what was measured (\`bench/results\`) and from what is
assumed below; \`npm run check\` fails when it is stale. It is a simulation on paper: the algorithm of the HorizontalPodAutoscaler
(\`helm/src/capacity/autoscaler.ts\`) decides every 15 seconds of a week. \`helm/test/real-controller.test.ts\`
holds each decision against Kubernetes’ own controller, with fake clients in a time of its own; no cluster ran it.

## The load

${load()}

${source('footprint', 'router', 'discovery', 'indexing')} CPU of pieces is that of pieces that come as fast as they go, several to a packet; paced ones cost more.

${assumed()}

## Replicas by hour

The most of each hour, UTC.

${replicas(all)}

## Connections to Postgres

A replica opens its pool (\`DATABASE_POOL_SIZE\`, ${connectionsOfAReplica() - 1}) and one that listens at the most. While a target is rolled it has one replica more.
At the busiest hour that is ${shown(Math.max(...open))}, at the quietest ${shown(Math.min(...open))}; the chart’s own sum after an install takes every target at its
\`maxReplicas\`, and \`postgres.maxConnections\` holds it against the server.

${byHour(open)}

## Memory by listings

Each catalog keeps the whole index, so more replicas take nothing off one another: memory as a measure only notices that the request is too small.

${memory()}

${source('discovery', 'footprint')} Between and beyond the sizes that were measured it is a straight line.

## RPC calls of a payment

${rpc()}

${source('payment-cost')} At ${shown(PEAK.payments)} payments a second that is ${shown(PEAK.payments * together)} calls a second where payments share transactions, and ${shown(PEAK.payments * alone)} where none does.
Each chain is followed by one replica, whatever their number.

## Messages a second

${table(
  ['at the busiest hour', 'messages', 'MB'],
  [
    ...messages.map(([what, count, bytes]) => [what, shown(count), shown(bytes / 1e6)]),
    ['all', shown(total(1)), shown(total(2) / 1e6)],
  ],
)}

${source('footprint')} Published ones; pieces of streams come on top, one message for each at the most: ${shown(PEAK.modelCalls * STREAM.seconds * STREAM.pieces)} a second.

## Cost of a million calls

${money(all)}
`
}
