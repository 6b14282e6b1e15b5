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

/** Escapes that Postgres cannot store in jsonb: NUL, and halves of surrogate pairs. */
const NOT_STORABLE = /\\u(0000|d[89a-f])/i

/** A resource as it appears in a source's document, with members of any type. */
export interface ToldResource {
  readonly url: unknown
  readonly method?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly tags?: unknown
  readonly accepts?: unknown
  readonly inputSchema?: unknown
  /** Set if the document is of the resource's own origin. */
  readonly isOwnWord?: true
}

/**
 * Why an entry of a source is not imported. `url`: it names no URL. `method`: it is not called by GET or POST. `type`:
 * it is not an HTTP endpoint. `origin`: a document that may only speak for its own origin names another. `template`:
 * its path has parameters that nothing fills.
 */
export type ClaimFault = 'url' | 'method' | 'type' | 'origin' | 'template'

/** What a source says about a resource, bounded and fit for display; or why it is not imported. */
export function claimedResource(told: ToldResource): ClaimedResource | 'url' | 'method' {
  const given = mirrorUrl(told.url)
  if (given === undefined) return 'url'
  // Buyers are shown this URL: a third party's query would be sent with every call.
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

/** One line of a third party's text: cut before it is processed, so that a megabyte costs no more than a name. */
function lineOf(given: unknown, maxCharacters: number): string {
  if (typeof given !== 'string') return ''
  const cut = given.slice(0, 4 * maxCharacters).replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return shownPartOf(shownPartOf(cut, 'line').trim().slice(0, maxCharacters), 'line').trim()
}

/** Its name, unless it is empty or looks like ours; then its location. */
function titleOf(given: unknown, url: string): string {
  const title = lineOf(given, MAX_TITLE)
  if (title !== '' && claimedName(MAX_TITLE).safeParse(title).success) return title
  return placeOf(url)
}

/** The title of a resource without a displayable name: its location. */
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
    // The name in version 1.
    const amount = text('amount') || text('maxAmountRequired')
    return [{ scheme: text('scheme'), network: text('network'), asset: text('asset'), amount, payTo: text('payTo') }]
  })
}

function schemaOf(given: unknown): Record<string, unknown> | undefined {
  // A schema that refers outside its document is not kept, so that no reader follows it; nor one too deep to read.
  if (!isObject(given) || refersElsewhere(given)) return undefined
  const text = JSON.stringify(given)
  const isKept = text.length <= MAX_SCHEMA_CHARACTERS && !NOT_STORABLE.test(text)
  return isKept ? given : undefined
}
