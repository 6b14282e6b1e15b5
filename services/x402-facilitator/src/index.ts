export { createMeters as facilitatorMeters } from './meters.ts'
export { x402Facilitator } from './service.ts'
