import { FIELD } from '../field.ts'
import type { Facts } from '../listings.ts'

/** How well a listing answers: 3 for exactly what was asked for, 1 for something close, 0 for anything else. */
export type Grade = (facts: Facts) => 0 | 1 | 3

/** Pairs of capabilities, one of which sometimes serves for the other. */
const KINDRED: readonly (readonly [string, string])[] = [
  ['weather', 'air-quality'],
  ['geocode', 'maps'],
  ['geocode', 'ip-lookup'],
  ['ip-lookup', 'whois'],
  ['news', 'web-search'],
  ['scrape', 'web-search'],
  ['scrape', 'screenshot'],
  ['pdf', 'ocr'],
  ['llm', 'code-generation'],
  ['llm', 'summarize'],
  ['sentiment', 'moderation'],
  ['business-check', 'sanctions'],
  ['identity-check', 'sanctions'],
  ['gpu', 'sandbox'],
  ['storage', 'database'],
  ['email', 'sms'],
  ['flights', 'hotels'],
  ['academic', 'patents'],
  ['coin-price', 'token-swap'],
]

const CAPABILITIES = new Set(FIELD.capabilities.map(({ id }) => id))
const WANTED = /^(?<wanted>[a-z+-]+)(?:(?<mark>[@#!<])(?<value>.*))?$/

const areKindred = (wanted: ReadonlySet<string>, capability: string): boolean =>
  KINDRED.some(([a, b]) => (wanted.has(a) && b === capability) || (wanted.has(b) && a === capability))

/**
 * Parses what is wanted, in terms of listings' facts: `ocr` a capability · `ocr+pdf` either of two · `weather@tokyo`
 * about a subject · `llm#gpt-4o` with a code · `translate!german` not of that subject or code · `sms!` nothing merely
 * similar · `scrape<0.005` for at most that many dollars. Within the capability, a listing is near if it is about
 * nothing in particular, lacks the code, or is dearer.
 * @throws when a capability is not one of the field's
 */
export function gradeOf(written: string): Grade {
  const { wanted = '', mark, value = '' } = WANTED.exec(written)?.groups ?? {}
  const capabilities = new Set(wanted.split('+'))
  for (const one of capabilities) if (!CAPABILITIES.has(one)) throw new Error(`no capability is called "${one}"`)
  const among =
    (then: Grade): Grade =>
    (facts) =>
      capabilities.has(facts.capability) ? then(facts) : 0
  if (mark === '@') return among(({ subject }) => (subject === value ? 3 : subject === null ? 1 : 0))
  if (mark === '#') return among(({ code }) => (code === value ? 3 : 1))
  if (mark === '!') return among(({ subject, code }) => (subject === value || code === value ? 0 : 3))
  if (mark === '<') return among(({ price }) => (price <= Number(value) ? 3 : 1))
  return ({ capability }) => (capabilities.has(capability) ? 3 : areKindred(capabilities, capability) ? 1 : 0)
}
