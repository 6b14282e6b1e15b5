export { catalog } from './service.ts'
export { derivedColumns, projectionTables } from './store/tables.ts'
