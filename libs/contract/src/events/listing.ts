import { z } from 'zod'
import { event } from '../event.ts'
import { ListingSnapshot } from '../schemas/listing.ts'
import { Slug } from '../schemas/words.ts'

/** Something that the public sees of a listing changed; carries the whole snapshot. */
export const listingChanged = event({
  id: 'listing.changed',
  version: 1,
  summary: 'A listing changed; the data is its whole public snapshot',
  key: 'slug',
  data: ListingSnapshot,
})

export const listingRemoved = event({
  id: 'listing.removed',
  version: 1,
  summary: 'A listing was removed for good',
  key: 'slug',
  data: z.object({ slug: Slug, version: z.number().int().positive() }),
})
