export { catalog } from './service.ts'
export { projectionTables } from './store/tables.ts'
