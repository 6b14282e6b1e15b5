export { routerMeters } from './metering.ts'
export { router } from './service.ts'
