export { addressPolicy } from './address-policy.ts'
export { type FailureState, failureState } from './failure.ts'
export { type Fetched, type Guard, type GuardedOrigin, guardedOrigin } from './guarded-origin.ts'
export { dnsResolver } from './resolver.ts'
