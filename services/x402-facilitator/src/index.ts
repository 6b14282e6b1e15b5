export { x402Facilitator } from './service.ts'
