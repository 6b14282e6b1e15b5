export * from './render.ts'
export * from './solc.ts'
