export { router } from './service.ts'
