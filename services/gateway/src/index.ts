export { gatewayMeters } from './meters.ts'
export { gateway } from './service.ts'
