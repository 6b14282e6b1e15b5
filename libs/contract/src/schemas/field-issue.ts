import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/** One fault of an input. */
export const FieldIssue = z.object({
  /** The faulty member, as a dotted path. */
  field: z.string(),
  reason: z.string(),
})

nameSchemas({ FieldIssue })
