import { Category, claimedName, resourceOf } from '@callboard/contract'
import { shownPartOf } from '@callboard/values'
import { isObject, own, refersElsewhere } from '@callboard/x402'
import { type ClaimedOffer, type ClaimedResource, MIRROR_METHODS, type MirrorMethod } from './mirrored.ts'
import { mirrorUrl } from './resource.ts'

const MAX_TITLE = 80
const MAX_DESCRIPTION = 500
const MAX_OFFERS = 8
const MAX_OFFER_TEXT = 128
const MAX_SCHEMA_CHARACTERS = 8 * 1024
const MAX_TAGS = 32

/** Escapes that Postgres stores in no jsonb: NUL, and halves of surrogate pairs. */
const NOT_STORABLE = /\\u(0000|d[89a-f])/i

/** A resource as a document of a source has it, whatever its members are. */
export interface ToldResource {
  readonly url: unknown
  readonly method?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly tags?: unknown
  readonly accepts?: unknown
  readonly inputSchema?: unknown
  /** It stands in a document of the resource's own origin. */
  readonly isOwnWord?: true
}

/**
 * Why an entry of a source is not taken in. `url`: it names no URL. `method`: it is called by neither GET nor POST. `type`: it
 * is no HTTP endpoint. `origin`: a document that speaks for its own origin names another. `template`: its path has places
 * that nothing fills.
 */
export type ClaimFault = 'url' | 'method' | 'type' | 'origin' | 'template'

/** What a source tells of a resource, bounded and fit to be shown; or why it is not taken in. */
export function claimedResource(told: ToldResource): ClaimedResource | 'url' | 'method' {
  const given = mirrorUrl(told.url)
  if (given === undefined) return 'url'
  // Buyers are shown this URL: what a third party put into its query would be sent with every call.
  const url = told.isOwnWord ? given : resourceOf(given)
  const method = methodOf(told.method)
  if (!method) return 'method'
  const inputSchema = schemaOf(told.inputSchema)
  return {
    method,
    url,
    title: titleOf(told.title, url),
    description: lineOf(told.description, MAX_DESCRIPTION),
    category: categoryOf(told.tags),
    offers: offersOf(told.accepts),
    ...(inputSchema ? { inputSchema } : {}),
  }
}

function methodOf(given: unknown): MirrorMethod | undefined {
  if (given === undefined || given === null) return 'GET'
  const upper = typeof given === 'string' ? given.toUpperCase() : ''
  return MIRROR_METHODS.find((method) => method === upper)
}

/** One line of a third party's words: cut before it is looked at, so that a megabyte costs no more than a name. */
function lineOf(given: unknown, maxCharacters: number): string {
  if (typeof given !== 'string') return ''
  const cut = given.slice(0, 4 * maxCharacters).replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return shownPartOf(shownPartOf(cut, 'line').trim().slice(0, maxCharacters), 'line').trim()
}

/** Its name, unless that says nothing or looks like ours; then where it is. */
function titleOf(given: unknown, url: string): string {
  const title = lineOf(given, MAX_TITLE)
  if (title !== '' && claimedName.safeParse(title).success) return title
  return placeOf(url)
}

/** What a resource is called that has no name which can be shown: where it is. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`.slice(0, MAX_TITLE)
}

function categoryOf(tags: unknown): Category {
  const words: readonly unknown[] = Array.isArray(tags) ? tags.slice(0, MAX_TAGS) : [tags]
  for (const word of words) {
    const category = Category.safeParse(typeof word === 'string' ? word.toLowerCase() : word)
    if (category.success) return category.data
  }
  return 'data'
}

function offersOf(accepts: unknown): ClaimedOffer[] {
  if (!Array.isArray(accepts)) return []
  return accepts.slice(0, MAX_OFFERS).flatMap((entry: unknown) => {
    if (!isObject(entry)) return []
    const text = (name: string) => lineOf(own(entry, name), MAX_OFFER_TEXT)
    // Version 1 calls it so.
    const amount = text('amount') || text('maxAmountRequired')
    return [{ scheme: text('scheme'), network: text('network'), asset: text('asset'), amount, payTo: text('payTo') }]
  })
}

function schemaOf(given: unknown): Record<string, unknown> | undefined {
  // One that leads out of its document is not kept, so that no reader follows it; nor one that is too deep to be read.
  if (!isObject(given) || refersElsewhere(given)) return undefined
  const text = JSON.stringify(given)
  const isKept = text.length <= MAX_SCHEMA_CHARACTERS && !NOT_STORABLE.test(text)
  return isKept ? given : undefined
}
