import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

const Notification = z.object({
  alerts: z.array(
    z.object({
      status: z.enum(['firing', 'resolved']),
      labels: z.record(z.string(), z.string()),
      startsAt: z.string(),
    }),
  ),
})

/** The labels that identify a page. */
export interface Wanted {
  readonly alertname: string
  readonly labels?: Readonly<Record<string, string>>
}

/** The pager of the person on call: the present state of what Alertmanager sends. */
export interface Pager {
  readonly url: string
  isPaged(wanted: Wanted): boolean
  /** The active pages, in words. */
  standing(): readonly string[]
  /** Every page since the last call, in words. */
  taken(): readonly string[]
  close(): Promise<void>
}

const wordsOf = ({ alertname, severity, ...labels }: Readonly<Record<string, string>>) => {
  const rest = Object.entries(labels).map(([label, value]) => `${label}=${value}`)
  return `${alertname}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}${severity === 'critical' ? '' : `, ${severity}`}`
}

export async function startPager(): Promise<Pager> {
  const standing = new Map<string, Readonly<Record<string, string>>>()
  let came: string[] = []
  const server = createServer(async (req, res) => {
    for (const { status, labels } of Notification.parse(await json(req)).alerts) {
      const words = wordsOf(labels)
      if (status === 'resolved') standing.delete(words)
      else {
        if (!standing.has(words)) came.push(words)
        standing.set(words, labels)
      }
    }
    res.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isPaged: ({ alertname, labels = {} }) =>
      [...standing.values()].some(
        (one) => one.alertname === alertname && Object.entries(labels).every(([label, value]) => one[label] === value),
      ),
    standing: () => [...standing.keys()],
    taken() {
      const taken = came
      came = []
      return taken
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
