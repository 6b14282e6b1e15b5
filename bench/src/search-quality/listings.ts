import type { Category, ListingSnapshot } from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import type { DirectoryRecord } from '../../../services/catalog/src/directory/indexed-listing.ts'
import { NO_USAGE } from '../../../services/catalog/src/domain/usage.ts'
import { NOW } from '../discovery/listings.ts'
import { seeded, vocabulary } from '../discovery/random.ts'
import { type Capability, type Code, FIELD, type Subject, subjectsOf } from './field.ts'

/** What a listing really is, whatever it claims. Relevance is judged only by this. */
export interface Facts {
  readonly slug: string
  readonly brand: string
  readonly capability: string
  readonly category: Category
  /** Its subject; null for anything of the kind. */
  readonly subject: string | null
  readonly code: string | null
  readonly price: number
  readonly isVisible: boolean
}

export interface JudgedListing {
  readonly facts: Facts
  readonly record: DirectoryRecord
}

const OWN = 20
const ADDED = 1_500
const PARTNERS = 300
const CONFORMANT = { declaredVersion: 2, versionConformant: true, offerTransport: 'header' as const, issues: [] }
const NETWORK = 'eip155:8453'
const ADDRESS = '0x0000000000000000000000000000000000000001'
const FRESH_SHARE = 0.6

/** Invented listings of the field, the same in every run: facts first, then words for them, as sellers write. */
export function judgedListings(count: number): JudgedListing[] {
  const random = seeded(41)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const brands = vocabulary(count, random)
  return Array.from({ length: count }, (_, number) => {
    const capability = pick(FIELD.capabilities)
    const subject = random() < 0.7 ? (pick(subjectsOf(capability)) ?? null) : null
    const code = random() < 0.08 ? (pick(FIELD.codes.filter((one) => one.capability === capability.id)) ?? null) : null
    const language = random() < 0.12 ? pick(Object.keys(capability.languages)) : undefined
    const brand = titled(brands[number] ?? '')
    const group = groupOf(number)
    const isVerified = group === 'svc' || (group !== 'external' && random() < 0.5)
    const isFresh = random() < FRESH_SHARE
    const facts: Facts = {
      slug: `${brand.toLowerCase()}-${number}`,
      brand,
      capability: capability.id,
      category: capability.category,
      subject: subject?.id ?? null,
      code: code?.code ?? null,
      price: pick([1, 2, 5, 10, 50, 100]) / 1_000,
      isVisible: isVerified || (group === 'external' && isFresh),
    }
    const said = { capability, subject, code, brand, language }
    return { facts, record: recordOf(facts, said, { group, isVerified, isFresh }, { random, pick }) }
  })
}

interface Said {
  readonly capability: Capability
  readonly subject: Subject | null
  readonly code: Code | null
  readonly brand: string
  readonly language: string | undefined
}
interface Drawing {
  readonly random: () => number
  readonly pick: <Item>(items: readonly Item[]) => Item
}

const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function groupOf(number: number): ListingSnapshot['group'] {
  if (number < OWN) return 'svc'
  if (number < OWN + ADDED) return 'added'
  return number < OWN + ADDED + PARTNERS ? 'partner' : 'external'
}

/** Some names contain only the brand, some only the product, some both. */
function nameOf({ capability, subject, brand, language }: Said, { random, pick }: Drawing): string {
  const about = subject && random() < 0.6 ? `${pick(subject.forms)} ` : ''
  const what = `${about}${pick(capability.names)}`
  const drawn = random()
  if (drawn < 0.35 || language) return brand
  return drawn < 0.8 ? what : `${brand} ${what}`
}

/** What it does in its seller's words, the praise that every seller writes, and sometimes what it is not. */
function descriptionOf({ capability, subject, code, language }: Said, { random, pick }: Drawing): string {
  const ownWords = language ? (capability.languages[language]?.says ?? []) : capability.says
  const first = pick(ownWords)
  const second = pick(capability.says.filter((one) => one !== first))
  return [
    titled(first),
    ...(language || random() < 0.5 ? [] : [titled(second)]),
    ...(subject ? [`For ${pick(subject.forms)}`] : []),
    ...(code ? [`${code.code}, ${code.of}`] : []),
    titled(pick(FIELD.fillers)),
    ...(random() < 0.5 ? [titled(pick(FIELD.fillers))] : []),
    ...(random() < 0.15 ? [titled(pick(FIELD.asides).replace('{}', pick(pick(FIELD.capabilities).names)))] : []),
  ].join('. ')
}

function recordOf(
  { slug, capability, category, brand, price }: Facts,
  said: Said,
  { group, isVerified, isFresh }: { group: ListingSnapshot['group']; isVerified: boolean; isFresh: boolean },
  drawing: Drawing,
): DirectoryRecord {
  const { random, pick } = drawing
  const path = random() < 0.3 ? capability : pick(FIELD.endpoints).toLowerCase()
  const url = `https://${pick(['api', 'x402', 'pay'])}.${brand.toLowerCase()}.example/v1/${path}`
  const seenAt = isoTime(NOW - HOUR_MS)
  const snapshot: ListingSnapshot = {
    slug,
    version: 1,
    name: nameOf(said, drawing),
    description: descriptionOf(said, drawing),
    category,
    status: 'live',
    verification: isVerified ? 'verified' : 'none',
    group,
    provenance: group === 'external' ? 'indexed' : 'self_listed',
    fee: { bps: 0, label: 'no network fee' },
    operations: [
      {
        name: pick(FIELD.endpoints),
        method: 'GET',
        url,
        description: random() < 0.4 ? titled(pick(said.capability.says)) : 'One paid request',
        metadataEvidence: 'probe',
        price: String(price),
        payment: {
          scheme: 'exact',
          network: NETWORK,
          asset: ADDRESS,
          payTo: ADDRESS,
          amount: '1000',
          checkedAt: seenAt,
        },
      },
    ],
    payTo: [{ network: NETWORK, address: ADDRESS }],
    conformance: null,
    createdAt: seenAt,
    listedAt: seenAt,
    updatedAt: seenAt,
  }
  const okAt = new Date(isFresh ? NOW - HOUR_MS : NOW - 72 * HOUR_MS)
  const liveness = {
    uptime7d: Math.round((1 - random() ** 3) * 1_000) / 1_000,
    latencyP50Ms: 80,
    latencyP95Ms: 200,
    checks7d: 100,
  }
  const check = {
    method: 'GET',
    url,
    checkedAt: okAt,
    sequence: 1,
    state: 'ok_402' as const,
    okAt,
    liveness,
    conformance: CONFORMANT,
  }
  return { slug, snapshot: JSON.stringify(snapshot), checks: [check], usage: NO_USAGE }
}
