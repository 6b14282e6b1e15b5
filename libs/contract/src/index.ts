export * from './caller.ts'
export * from './event.ts'
export * from './events/index.ts'
export * from './fresh-signature.ts'
export { hasBody, PRECONDITIONS, pathParameters } from './http-parts.ts'
export * from './limits.ts'
export * from './openapi.ts'
export * from './operation.ts'
export {
  BackupEnvelope,
  type BackupMetadata,
  type LinkRequest,
  MAX_BACKUPS,
  MAX_LINKS,
  type RelayPurpose,
} from './operations/agents/index.ts'
export * from './operations/index.ts'
export { type NetworkState, RecheckOutcome, StatusAction } from './operations/listings.ts'
export type { ProbeReport, ReadFailure } from './operations/liveness-prober.ts'
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
