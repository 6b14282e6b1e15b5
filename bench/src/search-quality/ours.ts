import { setImmediate } from 'node:timers/promises'
import { plainQuery } from '@callboard/search-index'
import { Directory } from '../../../services/catalog/src/directory/directory.ts'
import { discoverable } from '../../../services/catalog/src/domain/visibility.ts'
import { NOW } from '../discovery/listings.ts'
import { JUDGED, type Search } from './judging.ts'
import type { JudgedListing } from './listings.ts'

/** The directory as discovery queries it, including the order of groups. */
export async function ourSearch(listings: readonly JudgedListing[]): Promise<Search> {
  const directory = new Directory()
  const batches = async function* () {
    yield listings.map(({ record }) => record)
  }
  await directory.load(batches(), setImmediate)
  return ({ q, filters }) =>
    directory
      .page({ q: plainQuery(q), ...filters, visibility: discoverable(false), nowMs: NOW }, JUDGED)
      .map(({ place }) => place.slug)
}
