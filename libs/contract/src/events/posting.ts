import { event } from '../event.ts'
import { PostingSnapshot } from '../schemas/posting.ts'

/** A posting was made, changed or ended. Its expiry publishes no event. */
export const postingChanged = event({
  id: 'posting.changed',
  version: 1,
  summary: 'A posting was created, changed or ended; the data is the whole posting',
  key: 'id',
  data: PostingSnapshot,
})
