import { z } from 'zod'
import { shownText } from './shown-text.ts'

/**
 * What is checked before a listing is verified. The system answers the first five; only a person can answer
 * `description`, `price`, `impersonation` and `terms`.
 */
export const ChecklistItem = z.enum([
  'payee_signed',
  'payee_on_chain',
  'payable',
  'conformant',
  'name_free',
  'description',
  'price',
  'impersonation',
  'terms',
])
export type ChecklistItem = z.output<typeof ChecklistItem>

export const ChecklistAnswer = z.object({
  item: ChecklistItem,
  question: z.string(),
  /** The system's answer; null where only a person can answer. */
  holds: z.boolean().nullable(),
  /** The basis of the answer; empty where there is none. */
  detail: z.string(),
})
export type ChecklistAnswer = z.output<typeof ChecklistAnswer>

/** The person behind an operator's command, as they call themselves. */
export const OperatorName = shownText('line', 80).min(1)

/** What a listing's owner is shown about a verdict against it. */
export const VerdictReason = shownText('paragraphs', 500).min(1)
