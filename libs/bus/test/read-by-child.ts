import { operation } from '@callboard/contract'
import { z } from 'zod'

/** The stream whose first chunk a separate process reads. */
export const READ_BY_CHILD = operation({
  id: 'suite.readByChild',
  summary: 'Counts',
  timeoutMs: 60_000,
  stream: true,
  input: z.object({}),
  output: z.object({ n: z.number() }),
  errors: [],
})
