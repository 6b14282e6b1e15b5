export * from './seal.ts'
