import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/** One thing that is wrong with an input. */
export const FieldIssue = z.object({
  /** The member at fault, as a dotted path. */
  field: z.string(),
  reason: z.string(),
})

nameSchemas({ FieldIssue })
