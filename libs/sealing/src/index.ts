export * from './ed25519-key.ts'
export * from './seal.ts'
export * from './single-shot.ts'
export { NotOurs } from './suite.ts'
