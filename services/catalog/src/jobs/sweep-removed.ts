import { forgetting } from '@callboard/runtime'
import { DAY_MS } from '@callboard/values'
import type { CatalogContext } from '../context.ts'
import { deleteUnpaid } from '../store/removed.repository.ts'

/** An event that comes again later than this, from a dead letter, is of a version that no listing has any more. */
const KEPT_MS = 90 * DAY_MS

/** Deletes what is known of mirrored resources that were removed a quarter of a year ago and never paid. */
export const sweepRemoved = forgetting<CatalogContext>('sweep-removed', KEPT_MS, deleteUnpaid)
