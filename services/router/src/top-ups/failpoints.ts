import { failpoints } from '@callboard/runtime'

/** The stages of a top-up: its payment is settled; its credit is written but not committed. */
export const topUpFailpoints = failpoints('router', ['settled', 'credited'])
