import type { ListingSnapshot } from '@callboard/contract'
import { DAY_MS, isoTime } from '@callboard/values'
import type { DirectoryRecord } from '../../../services/catalog/src/directory/indexed-listing.ts'
import { NO_USAGE } from '../../../services/catalog/src/domain/usage.ts'
import { seeded, vocabulary, zipf } from './random.ts'

const WORDS = 6_000
const ZIPF_EXPONENT = 0.9
const OWN = 20
const ADDED = 1_500
const PARTNERS = 300
const HOSTS = 1_500
const NETWORK = 'eip155:8453'
const ADDRESS = '0x0000000000000000000000000000000000000001'
/** The age of the last success, at most; with this exponent 45 % are within a day. */
const OLDEST_MS = 10 * DAY_MS
const AGE_SKEW = 2.9

/** The present of the synthetic directory. */
export const NOW = Date.parse('2026-11-20T12:00:00Z')

const CATEGORIES = ['ai', 'data', 'crypto', 'compute', 'search'] as const
const CONFORMANT = { declaredVersion: 2, versionConformant: true, offerTransport: 'header' as const, issues: [] }

/**
 * Synthetic listings, the same in every run: 20 of our own, 1,500 added, 300 of partners, the rest mirrored; titles of
 * 2 to 5 words and summaries of 10 to 29, out of 6,000 by Zipf's law; uptimes skewed towards high, checks towards
 * recent.
 */
export function* listings(count: number): Generator<DirectoryRecord> {
  const random = seeded(7)
  const words = vocabulary(WORDS, random)
  const rank = zipf(WORDS, ZIPF_EXPONENT, random)
  const text = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => words[rank()]).join(' ')
  for (let number = 0; number < count; number += 1) {
    const group = groupOf(number)
    const slug = `s-${String(number).padStart(7, '0')}`
    const url = `https://host${number % HOSTS}.example/${slug}`
    const seenAt = isoTime(NOW - 30 * DAY_MS)
    const snapshot: ListingSnapshot = {
      slug,
      version: 1,
      name: text(2, 5),
      description: text(10, 29),
      category: CATEGORIES[number % CATEGORIES.length] ?? 'data',
      status: 'live',
      verification: group !== 'external' && random() < 0.5 ? 'verified' : 'none',
      group,
      provenance: group === 'external' ? 'indexed' : 'self_listed',
      fee: group === 'external' ? { bps: 0, label: 'no network fee' } : { bps: 500, label: '5% network fee' },
      operations: [
        {
          name: 'Ask',
          method: 'GET',
          url,
          description: 'Answers one question',
          metadataEvidence: 'probe',
          price: '0.01',
          payment: {
            scheme: 'exact',
            network: NETWORK,
            asset: ADDRESS,
            payTo: ADDRESS,
            amount: '10000',
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
    const upAt = new Date(NOW - Math.floor(OLDEST_MS * random() ** AGE_SKEW))
    const check = {
      method: 'GET',
      url,
      checkedAt: upAt,
      sequence: 1,
      state: 'ok_402' as const,
      okAt: upAt,
      liveness: {
        uptime7d: Math.round((1 - random() ** 3) * 1000) / 1000,
        latencyP50Ms: 80,
        latencyP95Ms: 200,
        checks7d: 100,
      },
      conformance: CONFORMANT,
    }
    yield { slug, snapshot: JSON.stringify(snapshot), checks: [check], usage: NO_USAGE }
  }
}

function groupOf(number: number): ListingSnapshot['group'] {
  if (number < OWN) return 'svc'
  if (number < OWN + ADDED) return 'added'
  return number < OWN + ADDED + PARTNERS ? 'partner' : 'external'
}

/** The same, in batches. */
export async function* batches(count: number, size: number): AsyncGenerator<DirectoryRecord[]> {
  let batch: DirectoryRecord[] = []
  for (const one of listings(count)) {
    batch.push(one)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Realistic queries: one to three words (50, 35 and 15 %) of the title of some listing, every tenth with a typo. */
export function queries(count: number, of: number): string[] {
  const random = seeded(11)
  const wanted = new Set(Array.from({ length: count }, () => Math.floor(random() * of)))
  const found: string[] = []
  let number = 0
  for (const { snapshot } of listings(of)) {
    if (wanted.has(number)) {
      const { name } = JSON.parse(snapshot) as { name: string }
      const drawn = random()
      const words = name.split(' ').slice(0, drawn < 0.5 ? 1 : drawn < 0.85 ? 2 : 3)
      found.push(random() < 0.1 ? mistyped(words.join(' '), random) : words.join(' '))
    }
    number += 1
  }
  return found
}

function mistyped(text: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (text.length - 2))
  return `${text.slice(0, at)}q${text.slice(at + 1)}`
}
