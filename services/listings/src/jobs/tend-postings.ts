import { every } from '@callboard/runtime'
import { MINUTE_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { tend } from '../postings/tend.ts'

/** What of postings nobody's request brings about. */
export const tendPostings = every<ListingsContext>('tend-postings', MINUTE_MS, tend)
