import { operation } from '@callboard/contract'
import { z } from 'zod'

/** The stream of which a process of its own reads the first chunk. */
export const READ_BY_CHILD = operation({
  id: 'suite.readByChild',
  summary: 'Counts',
  timeoutMs: 60_000,
  stream: true,
  input: z.object({}),
  output: z.object({ n: z.number() }),
  errors: [],
})
