export * from './caller.ts'
export * from './event.ts'
export * from './events/index.ts'
export * from './limits.ts'
export * from './openapi.ts'
export * from './operation.ts'
export { type LinkRequest, MAX_LINKS } from './operations/agents.ts'
export * from './operations/index.ts'
export { type NetworkState, RecheckOutcome, StatusAction } from './operations/listings.ts'
export type { ProbeReport } from './operations/liveness-prober.ts'
export {
  type AuthorizationRequest,
  ClientMetadata,
  DEVICE_CODE_GRANT,
  DEVICE_CODE_LIFETIME_S,
  type DeviceGrant,
  type GrantState,
  NoncePurpose,
  POLL_INTERVAL_S,
  type RegisteredClient,
  STATEMENTS,
  type TokenAnswer,
  WITH_TOKENS,
} from './operations/oauth/index.ts'
export { type FacilitatorRequest, PaymentState } from './operations/x402-facilitator.ts'
export * from './refusal.ts'
export * as refusals from './refusals.ts'
export * from './registry.ts'
export * from './schemas/index.ts'
