import { failpoints } from '@callboard/runtime'

/** Where a top-up stands: its payment is settled, its credit is written and not committed. */
export const topUpFailpoints = failpoints('router', ['settled', 'credited'])
