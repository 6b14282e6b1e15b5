export { addressPolicy } from './address-policy.ts'
export { type Failure, failureOf, failureState } from './failure.ts'
export { type Fetched, type Guard, type GuardedOrigin, type GuardedRequest, guardedOrigin } from './guarded-origin.ts'
export { dnsResolver } from './resolver.ts'
