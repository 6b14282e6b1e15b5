import { HOUR_MS } from '@callboard/values'

/** An endpoint that was up within this time counts as fresh. */
export const FRESH_MS = 24 * HOUR_MS

/** Which published listings a read shows. Our own (group `svc`) are included wherever verified ones are. */
export interface Visibility {
  /** The groups `added` and `partner`. */
  readonly listed: 'all' | 'verified'
  readonly external: 'all' | 'fresh' | 'verified' | 'none'
}

/** Discovery: verified listings and the fresh mirror; on request also unreviewed listings. */
export const discoverable = (includeUnverified: boolean): Visibility => ({
  listed: includeUnverified ? 'all' : 'verified',
  external: 'fresh',
})

/** The services shape: verified listings; on request everything that discovery shows. */
export const offered = (includeUnverified: boolean): Visibility =>
  includeUnverified ? discoverable(true) : { listed: 'verified', external: 'verified' }

/** The catalogue: everything published. */
export const everything: Visibility = { listed: 'all', external: 'all' }
