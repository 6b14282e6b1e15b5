export * from './attribution.ts'
export * from './caller.ts'
export {
  A2aError,
  AgentMessage,
  a2aEndpoint,
  type EdgeRoute,
  edgeRoutes,
  type McpHealth,
  mcpEndpoint,
  SendMessageParams,
} from './edge-routes/index.ts'
export * from './event.ts'
export * from './events/index.ts'
export * from './fresh-signature.ts'
export {
  ANTHROPIC_HEADERS,
  hasBody,
  IN_HEADERS,
  isShared,
  PRECONDITIONS,
  pathParameters,
  soldSchemas,
} from './http-parts.ts'
export * from './limits.ts'
export { type AboutInstance, openapiDocument } from './openapi/document.ts'
export { pathItems } from './openapi/path-items.ts'
export * from './operation.ts'
export {
  BackupEnvelope,
  type BackupMetadata,
  type LinkRequest,
  MAX_BACKUPS,
  MAX_LINKS,
  type RelayPurpose,
} from './operations/agents/index.ts'
export type { SupportReport } from './operations/catalog/index.ts'
export * from './operations/index.ts'
export {
  MirrorSource,
  type NetworkState,
  RecheckOutcome,
  SourceKind,
  StatusAction,
} from './operations/listings/index.ts'
export {
  type FailureFinding,
  type ProbeReport,
  type ReadFailure,
  SOURCE_DOCUMENT_BYTES,
} from './operations/liveness-prober.ts'
export {
  type AuthorizationRequest,
  type ClientGrant,
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
export * from './payment-facts.ts'
export * from './refusal.ts'
export * as refusals from './refusals.ts'
export * from './registry.ts'
export * from './reserved-slugs.ts'
export * from './routes.ts'
export * from './schemas/index.ts'
export {
  A2A_VERSION,
  AGENT_CARD_PATH,
  AgentCard,
  agentCard,
  argumentsOf,
  SKILL_OF_TEXTS,
  type Tool,
  tools,
} from './tools/index.ts'
