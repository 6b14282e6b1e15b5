export { agentsMeters } from './meters.ts'
export { agents } from './service.ts'
