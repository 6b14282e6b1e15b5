import { type EventDeclaration, eventName } from '@callboard/contract'
import { appendEvents, openDatabase } from '@callboard/store'
import { claimedResource, type ToldResource } from '../src/domain/mirror/claim.ts'
import type { ClaimedResource } from '../src/domain/mirror/mirrored.ts'
import { type ImportedResources, importResources } from '../src/mirror/import-resources.ts'
import { putSource } from '../src/store/source.repository.ts'
import type { ListingsTables } from '../src/store/tables.ts'
import type { Stage } from './stage.ts'

/** As many rows as any test needs, unless it is about the limits. */
const ROOM = { MIRROR_PER_SITE: 1_000, MIRROR_PER_SOURCE: 1_000, MIRROR_MAX_ROWS: 1_000 }

/** Makes a source name resources, as importing it would. */
export async function named(
  { database, clock }: Pick<Stage, 'database' | 'clock'>,
  source: string,
  told: readonly ToldResource[],
  room: Partial<typeof ROOM> = {},
): Promise<ImportedResources> {
  const { db, close } = openDatabase<ListingsTables>({
    ...{ url: database.url, schema: 'listings', maxConnections: 1 },
    onError: () => {},
  })
  const claims = told.map(claimedResource).filter((claim): claim is ClaimedResource => typeof claim !== 'string')
  try {
    return await db.transaction().execute(async (tx) => {
      const configured = { name: source, kind: 'well-known', url: 'https://source.example/', filters: {} } as const
      await putSource(tx, { ...configured, intervalHours: 1 }, 'operator', new Date(clock.now()))
      const publishAll = (_tx: typeof tx, event: EventDeclaration, all: readonly unknown[]) =>
        appendEvents({
          name: eventName(event),
          occurredAt: new Date(clock.now()),
          traceparent: undefined,
          events: all.map((data) => ({ key: String((data as Record<string, unknown>)[event.key]), data })),
        }).execute(tx)
      const config = { BASE_URL: 'http://127.0.0.1:8402', ...ROOM, ...room }
      const ctx = {
        clock,
        config,
        publishAll,
        publish: (tx_: typeof tx, event: EventDeclaration, data: unknown) => publishAll(tx_, event, [data]),
      }
      return await importResources(ctx as unknown as Parameters<typeof importResources>[0], tx, source, claims)
    })
  } finally {
    await close()
  }
}

export interface MirroredState {
  readonly slug: string
  readonly state: string
  readonly reason: string | null
}

/** The rows of a URL's resource. */
export const rowsOf = ({ database }: Pick<Stage, 'database'>, url: string) =>
  database.query<MirroredState & { [column: string]: unknown }>(
    `select mirrored.*, array(select source from listings.sighting where sighting.slug = mirrored.slug order by 1) as sources
     from listings.mirrored where resource = $1 order by method`,
    [new URL(url).origin + new URL(url).pathname],
  )
