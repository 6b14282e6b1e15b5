import type { Category } from '@callboard/contract'
import field from './field.json' with { type: 'json' }

/** What an API can do, and the words of those who sell it and those who search for it. */
export interface Capability {
  readonly id: string
  readonly category: Category
  /** What it may be about, by the name of a list of `SUBJECTS`. */
  readonly subject: string | null
  readonly names: readonly string[]
  readonly says: readonly string[]
  readonly keywords: readonly string[]
  readonly questions: readonly string[]
  readonly synonyms: readonly string[]
  readonly languages: Readonly<Record<string, { readonly says: readonly string[]; readonly asks: readonly string[] }>>
}

/** A possible subject of some capabilities, in the forms in which it is written. */
export interface Subject {
  readonly id: string
  readonly forms: readonly string[]
}

/** A name of a standard, a model or a language that only some listings handle. */
export interface Code {
  readonly code: string
  readonly of: string
  readonly capability: string
}

interface Field {
  readonly capabilities: readonly Capability[]
  readonly subjects: Readonly<Record<string, readonly Subject[]>>
  readonly codes: readonly Code[]
  readonly fillers: readonly string[]
  readonly asides: readonly string[]
  readonly endpoints: readonly string[]
}

/** The vocabulary of listings and intents. */
export const FIELD = field as unknown as Field

export const subjectsOf = ({ subject }: Capability): readonly Subject[] =>
  subject === null ? [] : (FIELD.subjects[subject] ?? [])
