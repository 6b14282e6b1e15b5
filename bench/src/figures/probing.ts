import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startChild, startPostgres } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Comparison, Figure } from '../figure.ts'
import { startBlackbox } from '../probing/blackbox.ts'
import { CERTIFICATE } from '../probing/certificate.ts'
import { freshConnection, keptConnection } from '../probing/fetching.ts'
import { ownCpuMs, type ProbeCost, underLoad } from '../probing/load.ts'
import { visitOrigins } from '../probing/visiting.ts'

const AT_ONCE = 10

export const figure: Figure = {
  title: 'Probing of paid endpoints',
  method:
    'A target in its own process answers 402 with a 358-byte x402 offer in header and body, over TCP and over TLS (ECDSA P-256). Our probe connects through the address guard and reads and judges the offer, ten at once, for six seconds per point after a warm-up. “All-in” is the whole service on its schedule, over fifteen seconds: leases, one TLS connection for the ten endpoints of an origin, and the committed checks, weeks and events. The peer is blackbox_exporter driven through `/probe`, which opens a new connection each time and reads status and header.',
  async run() {
    setDefaultCACertificates([...getCACertificates('default'), CERTIFICATE.cert])
    const { ports, stop } = await startTargets()
    const [tcp, tls] = [`http://127.0.0.1:${ports.tcp}`, `https://127.0.0.1:${ports.tls}`]
    const dataDir = temporaryFolder('callboard-bench-')
    const postgres = await startPostgres({ dataDir, fsync: true })
    const blackbox = await startBlackbox()
    try {
      const peer = async (url: string): Promise<ProbeCost | undefined> =>
        'closed' in blackbox ? undefined : await underLoad(AT_ONCE, () => blackbox.probe(url), blackbox.cpuMs)
      const ours = (piece: () => Promise<void>, probes = 1) => underLoad(AT_ONCE, piece, ownCpuMs, probes)

      const points = [
        ['over TCP, a new connection each', await ours(freshConnection(tcp, 1)), await peer(tcp)],
        ['over TLS, a new connection each', await ours(freshConnection(tls, 1)), await peer(tls)],
        ['over TLS, ten to a connection', await ours(freshConnection(tls, 10), 10), undefined],
        ['over TCP, kept connections', await ours(keptConnection(tcp)), undefined],
        ['over TLS, kept connections', await ours(keptConnection(tls)), undefined],
      ] as const
      const allIn = await visitOrigins(postgres, ports.tls)
      const freshTls = points[1][2]
      const comparisons: Comparison[] = [
        {
          what: 'CPU of a probe all-in, ten to an origin over TLS',
          unit: 'µs',
          better: 'less',
          ours: allIn.cpuMicros,
          ...(freshTls ? { peer: { name: 'blackbox_exporter, nothing stored', value: freshTls.cpuMicros } } : {}),
          target: { value: 900 },
        },
        { what: 'probes all-in', unit: '/s', better: 'more', ours: allIn.perSecond },
        { what: 'CPU of Postgres for it', unit: 'µs', better: 'less', ours: allIn.postgresCpuMicros },
        ...points.map(
          ([what, cost, other]): Comparison => ({
            what: `CPU of a fetch ${what}`,
            unit: 'µs',
            better: 'less',
            ours: cost.cpuMicros,
            ...(other ? { peer: { name: 'blackbox_exporter', value: other.cpuMicros } } : {}),
          }),
        ),
      ]
      const probesPerCpuSecond = ({ cpuMicros }: ProbeCost) => Math.round(1e6 / cpuMicros)
      return {
        ...('closed' in blackbox ? {} : { versions: { blackbox_exporter: blackbox.version } }),
        comparisons,
        notes: [
          `Probes per CPU second, all-in: ${probesPerCpuSecond(allIn)}.`,
          ...('closed' in blackbox ? [`Without the peer: ${blackbox.closed}.`] : []),
        ],
      }
    } finally {
      if (!('closed' in blackbox)) await blackbox.stop()
      await postgres.stop()
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

async function startTargets() {
  let line = ''
  const child = await startChild({
    what: 'The targets',
    command: process.execPath,
    args: [join(import.meta.dirname, '../probing/targets.ts')],
    ready: /^targets: /,
    readyWithinMs: 20_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
    log: (printed) => {
      if (printed.startsWith('targets: ')) line = printed
    },
  })
  const ports = JSON.parse(line.slice('targets: '.length)) as { readonly tcp: number; readonly tls: number }
  return { ports, stop: () => child.stop() }
}
