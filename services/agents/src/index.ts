export { agents } from './service.ts'
