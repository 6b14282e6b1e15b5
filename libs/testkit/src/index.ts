import './provided.ts'

export * from './clock.ts'
export * from './database.ts'
export * from './services.ts'
export * from './until.ts'
export * from './wallets.ts'
