export * from './deployment.ts'
export * from './natspec.ts'
export * from './render.ts'
export * from './solc.ts'
