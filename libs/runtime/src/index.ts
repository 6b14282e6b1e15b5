export * from './coalesce.ts'
export * from './context.ts'
export { consumersOf as eventConsumersOf, lacksOfSchemas, migrateServices, roleOf } from './databases/migrations.ts'
export {
  type Addressed,
  type DeadLetter,
  deadLetters,
  discardDeadLetter,
  discardedEvents,
  readable,
} from './events/dead-letters.ts'
export { handleBatch, handleOnce } from './events/handling.ts'
export * from './failpoints.ts'
export { watchingChains } from './health/chain-calls.ts'
export type { Readiness, ReadinessReport } from './health/readiness.ts'
export { forgetting } from './jobs/forgetting.ts'
export * from './jobs/jobs.ts'
export { PollTimer, type Waking } from './jobs/poll-timer.ts'
export * from './run.ts'
export * from './service.ts'
export * from './settings/config.ts'
export { derived } from './settings/derived.ts'
export { fileStamp } from './settings/file-stamp.ts'
export { isSet, withFiles } from './settings/setting-files.ts'
export * from './settings/settings.ts'
export { schemaOf } from './shared-resources.ts'
export * from './single-flight.ts'
export * from './start.ts'
export type { StartOptions } from './start-options.ts'
export type { Collectors, Sample } from './telemetry/collectors.ts'
export { exemplarOf, histogramWithExemplars } from './telemetry/exemplar.ts'
export { createLogger, type Logger } from './telemetry/log.ts'
export { createMetrics, type Metrics } from './telemetry/metrics.ts'
export { inSpan, markSpan } from './telemetry/spans.ts'
export * from './unavailable.ts'
export * from './within.ts'
