export { indexerMetrics } from './metrics.ts'
export { chainIndexer } from './service.ts'
