export { proberMeters } from './meters.ts'
export { livenessProber } from './service.ts'
