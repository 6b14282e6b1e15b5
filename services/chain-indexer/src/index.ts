export { chainIndexer } from './service.ts'
