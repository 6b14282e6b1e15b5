export * from './listing.ts'
export * from './payment.ts'
export * from './probe.ts'
export * from './settlement.ts'
