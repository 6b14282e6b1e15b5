export { oauth } from './service.ts'
