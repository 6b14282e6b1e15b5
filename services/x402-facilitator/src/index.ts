export type { FacilitatorContext } from './context.ts'
export { createMeters as facilitatorMeters } from './meters.ts'
export { type PaidToUs, paidToUs } from './restore/paid-to-us.ts'
export { x402Facilitator } from './service.ts'
