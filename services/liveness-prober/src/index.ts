export { livenessProber } from './service.ts'
