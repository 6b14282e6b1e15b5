import type { Figure, Findings } from '../figure.ts'
import { BRIEF, NIGHT } from '../mirror/corpus.ts'
import { mirrorNight } from '../mirror/night.ts'

const SECOND_MS = 1_000
const KIB = 1_024

export const figure: Figure = {
  title: 'The mirror: 15,000 resources of 1,500 origins',
  method:
    'A whole embedded instance is given one source, a facilitator in another process that names 15,000 resources in pages of 100; that process answers for the origins too, ten of which have 250 resources each. Of the endpoints some four in five ask for a payment that can be made here, the others for one that cannot, for none, by MPP, are missing, or are forbidden by robots.txt. Counted is the time from the configuration of the source until each is payable in the directory or refused with its reason, which is held against what the endpoints answer. Pauses are those of the product: a second between pages, a quarter of one between two resources of an origin, 32 origins at once.',
  async run({ brief }): Promise<Findings> {
    const size = brief ? BRIEF : NIGHT
    const { importedMs, endedMs, standing, asked, cpuMs, peakMiB, sizes } = await mirrorNight(size)
    const { node, postgres } = cpuMs
    const perResource = (ms: number) => (ms * SECOND_MS) / size.resources
    return {
      comparisons: [
        { what: 'time until all are imported', unit: 's', better: 'less', ours: importedMs / SECOND_MS },
        {
          ...{ what: 'time until each is payable or refused', unit: 's', better: 'less', ours: endedMs / SECOND_MS },
          // A night of eight hours.
          ...(brief ? {} : { target: { value: 8 * 3_600 } }),
        },
        {
          what: 'probes per CPU second, all-in',
          unit: '/s',
          better: 'more',
          ours: asked.probes / ((node + postgres) / SECOND_MS),
        },
        { what: 'CPU of Node for a resource', unit: 'µs', better: 'less', ours: perResource(node) },
        { what: 'CPU of Postgres for a resource', unit: 'µs', better: 'less', ours: perResource(postgres) },
        { what: 'peak memory of the services', unit: 'MiB', better: 'less', ours: peakMiB },
      ],
      tables: [
        {
          title: 'what was read',
          columns: ['requests', 'KiB of bodies'],
          rows: [
            ['pages of the source', asked.pages, Math.round(asked.pageBytes / KIB)],
            ['robots.txt', asked.robots, null],
            ['openapi.json', asked.documents, null],
            ['endpoints', asked.probes, Math.round(asked.probeBytes / KIB)],
          ],
        },
        {
          title: 'tables of',
          columns: ['MiB with indexes', 'dead rows'],
          rows: sizes.map(({ service, kilobytes, dead }) => [service, Math.round(kilobytes / KIB), dead]),
        },
      ],
      notes: [
        `${standing.payable} became payable, ${standing.refused} were refused with a reason; the least time between calls of two resources of one origin was ${Math.round(asked.leastGapMs ?? 0)} ms.`,
        'Measured, not extrapolated, on loopback: no round trips, no TLS, and the embedded Postgres of a devnet, which waits for no disk. Origins on the Internet add their answers’ time to each pause, and one that never answers holds its place among the 32 for up to 24 s.',
      ],
    }
  },
}
