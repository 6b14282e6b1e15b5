import './provided.ts'

export * from './clock.ts'
export * from './database.ts'
export * from './granted.ts'
export * from './services.ts'
export { UNREACHABLE_DEVNET } from './unreachable-devnet.ts'
export * from './until.ts'
export * from './wallets.ts'
