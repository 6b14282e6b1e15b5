import type { Listed } from '../domain/listed.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { type DirectoryRecord, indexedListing, listedOf } from './indexed-listing.ts'
import { type DirectoryQuestion, pageOf } from './page.ts'
import { Register } from './register.ts'

export interface DirectoryRow extends Listed {
  readonly place: DirectoryPlace
}

/** The directory in the memory of this replica: what its follower has read of the tables. */
export class Directory {
  #register = new Register()

  get size(): number {
    return this.#register.size
  }

  /** The next listings after a place, in the order of the directory. */
  page(question: DirectoryQuestion, limit: number, after?: DirectoryPlace): DirectoryRow[] {
    return pageOf(this.#register, question, limit, after).map(({ place, ...text }) => ({ ...listedOf(text), place }))
  }

  /** Brings some listings up to date: those with a record are as it says, the others are no longer shown. */
  update(slugs: readonly string[], records: readonly DirectoryRecord[]): void {
    const gone = new Set(slugs)
    for (const record of records) {
      gone.delete(record.slug)
      this.#register.put(indexedListing(record))
    }
    for (const slug of gone) this.#register.remove(slug)
  }

  /** Reads everything anew; what was known before is shown until all is read. */
  async load(batches: AsyncIterable<readonly DirectoryRecord[]>, breathe: () => Promise<unknown>): Promise<void> {
    const register = new Register()
    await register.fill(indexed(batches), breathe)
    this.#register = register
  }
}

async function* indexed(batches: AsyncIterable<readonly DirectoryRecord[]>) {
  for await (const batch of batches) yield batch.map(indexedListing)
}
