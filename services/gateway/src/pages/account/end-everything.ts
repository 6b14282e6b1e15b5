import { listings } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import { refusalOf } from '../../answers/errors.ts'
import { callAs, type OwnerRequest } from '../owner/owner.ts'
import { endThing } from './end-thing.ts'
import { readAccount } from './read-account.ts'
import { type Kind, thingsOf } from './things.ts'

/**
 * Other browsers end first: each could make a key behind the end of the keys. Then what spends money. Programs and this
 * browser's session end together, by their own operation, after all of these.
 */
const ORDER: readonly (readonly [kind: Kind, noun: string])[] = [
  ['session', 'session'],
  ['agent', 'agent'],
  ['router-key', 'Router key'],
  ['key', 'API key'],
  ['device', 'trusted device'],
]
/** Lists return only as many items as fit into one answer. */
const MAX_ROUNDS = 5
const PAGE = 100

/** How many were ended by their noun, and what may continue, because its service refused or could not be asked. */
export interface Ended {
  readonly ended: ReadonlyMap<string, number>
  readonly left: readonly string[]
}

/**
 * Ends everything that acts for an owner except programs and this browser's session, and if asked takes their listings
 * offline and closes their postings: who held a key could speak in the owner's name there, too.
 *
 * A thief with this browser's own cookie can make more meanwhile, until its session ends. So this is done once more
 * after that, with `isLast`; before it, what is made faster than it is ended is left to that.
 */
export async function endEverything(
  asking: OwnerRequest,
  { listings: withListings, isLast = false }: { readonly listings: boolean; readonly isLast?: boolean },
): Promise<Ended> {
  const ended = new Map<string, number>()
  const left: string[] = []
  const note = async (noun: string, end: () => Promise<number>) => {
    try {
      ended.set(noun, await end())
    } catch (error) {
      if (refusalOf(error) === undefined && !(error instanceof NotEnded)) throw error
      left.push(`${noun}s`)
    }
  }
  for (const [kind, noun] of ORDER) await note(noun, () => endAllOf(asking, kind, isLast))
  if (withListings) {
    await note('listing', () => takeAllOffline(asking))
    await note('posting', () => closeAllPostings(asking))
  }
  return { ended, left }
}

/** An operation did not end what it should have. */
class NotEnded extends Error {}

/** @throws NotEnded, or Refused if a service cannot be asked */
async function endAllOf(asking: OwnerRequest, kind: Kind, isLast: boolean): Promise<number> {
  let count = 0
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const things = thingsOf(await readAccount(asking), kind)
    if (things === 'unavailable') throw new NotEnded(kind)
    if (things.length === 0) return count
    for (const thing of things) {
      if (await endThing(asking, thing, 'end')) throw new NotEnded(kind)
      count += 1
    }
  }
  // Very many sessions end with this browser's.
  if (kind === 'session' || !isLast) return count
  throw new NotEnded(kind)
}

/** @throws NotEnded, or Refused if a service cannot be asked */
async function takeAllOffline(asking: OwnerRequest): Promise<number> {
  let count = 0
  for await (const page of pagesOf('listing', (at) => callAs(asking, listings.mine, at))) {
    for (const { slug, status } of page.listings) {
      if (status !== 'live') continue
      if (isRefusal(await callAs(asking, listings.setStatus, { slug, action: 'suspend' }))) throw new NotEnded(slug)
      count += 1
    }
  }
  return count
}

/** @throws NotEnded, or Refused if a service cannot be asked */
async function closeAllPostings(asking: OwnerRequest): Promise<number> {
  let count = 0
  for await (const page of pagesOf('posting', (at) => callAs(asking, listings.myPostings, at))) {
    for (const { id, status } of page.postings) {
      if (status !== 'open') continue
      if (isRefusal(await callAs(asking, listings.closePosting, { id }))) throw new NotEnded(id)
      count += 1
    }
  }
  return count
}

interface PageAt {
  readonly limit: number
  readonly cursor?: string
}

/** The pages of a list, to its end. @throws NotEnded if one is refused */
async function* pagesOf<Page extends { readonly nextCursor: string | null }>(
  noun: string,
  read: (at: PageAt) => Promise<Page | Refusal>,
): AsyncGenerator<Page> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Page | Refusal = await read({ limit: PAGE, ...(cursor ? { cursor } : {}) })
    if (isRefusal(page)) throw new NotEnded(noun)
    yield page
    cursor = page.nextCursor
  }
}
