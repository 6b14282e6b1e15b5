import { every } from '@callboard/runtime'
import { MINUTE_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { tend } from '../postings/tend.ts'

/** Changes of postings that no request causes. */
export const tendPostings = every<ListingsContext>('tend-postings', MINUTE_MS, tend)
