export { gateway } from './service.ts'
export { gatewayMeters } from './telemetry/meters.ts'
