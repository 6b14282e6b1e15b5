export type { Tool } from './tool.ts'
export { tools } from './tools.ts'
