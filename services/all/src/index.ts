export { startDemonstration } from './demonstration.ts'
export { modules } from './modules.ts'
