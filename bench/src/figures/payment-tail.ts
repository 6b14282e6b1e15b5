import { setTimeout as delay } from 'node:timers/promises'
import type { Figure, Table } from '../figure.ts'
import { quantile } from '../paid-call/buyers.ts'
import { AT_ONCE } from '../payment-cost/counting.ts'
import { payAll } from '../payment-cost/paying.ts'
import { openPlace } from '../payment-cost/place.ts'
import { type Span, startCollector } from '../payment-tail/collector.ts'
import { ownTimes } from '../payment-tail/own-times.ts'
import { newAddress } from '../settle/world.ts'

const PAYMENTS = 1_600
const SLOWEST = 100
const WARM_UP = 160
/** By then the last spans have been exported. */
const EXPORT_MS = 7_000
/** Rows of the table; the remainder is summed up. */
const SHOWN = 16

const ROOT = 'POST /x402/settle'

/** Mean milliseconds by span name. */
function meanTimes(roots: readonly Span[], traces: ReadonlyMap<string, readonly Span[]>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const root of roots) {
    for (const [name, ms] of ownTimes(root, traces.get(root.trace) ?? [])) sums.set(name, (sums.get(name) ?? 0) + ms)
  }
  return new Map([...sums].map(([name, ms]) => [name, ms / roots.length]))
}

function compared(roots: readonly Span[], traces: ReadonlyMap<string, readonly Span[]>): Table {
  const byLength = roots.toSorted((one, other) => other.end - other.start - (one.end - one.start))
  const slow = meanTimes(byLength.slice(0, SLOWEST), traces)
  const middle = meanTimes(byLength.slice((byLength.length - SLOWEST) >> 1).slice(0, SLOWEST), traces)
  const names = [...new Set([...slow.keys(), ...middle.keys()])]
  const rows = names.map((name): [string, number, number] => [name, slow.get(name) ?? 0, middle.get(name) ?? 0])
  rows.sort(([, one], [, other]) => other - one)
  const rest = rows.slice(SHOWN)
  const sum = (column: 1 | 2, of: typeof rows) => of.reduce((total, row) => total + row[column], 0)
  return {
    title: `ms of a settlement, ${AT_ONCE} at once`,
    columns: [`the slowest ${SLOWEST}`, `the middle ${SLOWEST}`],
    rows: [
      ['whole', sum(1, rows), sum(2, rows)],
      ...rows.slice(0, SHOWN),
      ['everything else', sum(1, rest), sum(2, rest)],
    ],
  }
}

export const figure: Figure = {
  title: 'The slowest settlements',
  method: `A whole instance with the settings of \`npm start\`, in which all requests are traced, settles ${PAYMENTS} payments ${AT_ONCE} at once. Each moment of a request is assigned to the innermost span that was open at that moment. Work that several payments share appears in the trace of the payment that began it, and as waiting in the traces of the others.`,
  async run({ payments = PAYMENTS }) {
    const collector = await startCollector()
    const place = await openPlace({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    try {
      const pay = async (number: number) =>
        payAll(place.facilitatorUrl, await place.payers(number, [newAddress()]), { atOnce: AT_ONCE })
      await pay(WARM_UP)
      const began = performance.timeOrigin + performance.now()
      const moments = await pay(payments)
      await delay(EXPORT_MS)
      const settleMs = moments.map(({ verified, settled }) => settled - verified)
      const roots = collector.spans.filter(({ name, start }) => name === ROOT && start >= began)
      const latency = (share: number) =>
        ({
          what: `settle, p${share * 100}, traced`,
          unit: 'ms',
          better: 'less',
          ours: quantile(settleMs, share),
        }) as const
      return {
        comparisons: [latency(0.5), latency(0.95), latency(0.99)],
        tables: [
          compared(
            roots,
            Map.groupBy(collector.spans, ({ trace }) => trace),
          ),
        ],
        notes: [`${roots.length} of ${payments} traces arrived complete.`],
      }
    } finally {
      await place.close()
      await collector.close()
    }
  },
}
