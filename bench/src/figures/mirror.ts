import type { Figure, Findings } from '../figure.ts'
import { BRIEF, NIGHT } from '../mirror/corpus.ts'
import { mirrorNight } from '../mirror/night.ts'

const SECOND_MS = 1_000
const KIB = 1_024

export const figure: Figure = {
  title: 'The mirror: 15,000 resources of 1,500 origins',
  method:
    'A whole embedded instance is given one source, a facilitator in another process that names 15,000 resources in pages of 100. That process also answers for the origins, ten of which have 250 resources each. Some four in five endpoints ask for a payment that can be made here. The others ask for one that cannot, for none, or for one by MPP, are missing, or are forbidden by robots.txt. The figure counts the time from the configuration of the source until each resource is payable in the directory or refused with its reason, which is compared with what the endpoints answer. Pauses are those of the product: one second between pages, a quarter of a second between two resources of an origin, and 32 origins at once.',
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
          // One night of eight hours.
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
        `${standing.payable} became payable, ${standing.refused} were refused with a reason; the shortest time between calls to two resources of one origin was ${Math.round(asked.leastGapMs ?? 0)} ms.`,
        'The figure is measured, not extrapolated, on loopback: there are no network round trips and no TLS, and the embedded Postgres of a devnet does not wait for a disk. Origins on the Internet add their response time to each pause, and one that never answers occupies one of the 32 places for up to 24 s.',
      ],
    }
  },
}
