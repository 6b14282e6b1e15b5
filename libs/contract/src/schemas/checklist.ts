import { z } from 'zod'
import { shownText } from './shown-text.ts'

/**
 * What is looked at before a listing is verified. The first five the system answers; `description`, `price`, `impersonation` and
 * `terms` only a person can.
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
  /** What the answer rests on; empty where there is none. */
  detail: z.string(),
})
export type ChecklistAnswer = z.output<typeof ChecklistAnswer>

/** Who gives an operator's command, by their own word. */
export const OperatorName = shownText('line').min(1).max(80)

/** What the owner of a listing reads of a verdict against it. */
export const VerdictReason = shownText('paragraphs').min(1).max(500)
