export { listings } from './service.ts'
