export { watchingChains } from './chain-calls.ts'
export * from './coalesce.ts'
export type { Collectors, Sample } from './collectors.ts'
export * from './config.ts'
export * from './context.ts'
export {
  type Addressed,
  type DeadLetter,
  deadLetters,
  discardDeadLetter,
  discardedEvents,
  readable,
} from './dead-letters.ts'
export { derived } from './derived.ts'
export { exemplarOf, histogramWithExemplars } from './exemplar.ts'
export * from './failpoints.ts'
export { fileStamp } from './file-stamp.ts'
export { forgetting } from './forgetting.ts'
export { handleBatch, handleOnce } from './handling.ts'
export * from './jobs.ts'
export { createLogger, type Logger } from './log.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { consumersOf as eventConsumersOf, lacksOfSchemas, migrateServices, roleOf } from './migrations.ts'
export { PollTimer, type Waking } from './poll-timer.ts'
export type { Readiness, ReadinessReport } from './readiness.ts'
export * from './run.ts'
export * from './service.ts'
export { isSet, withFiles } from './setting-files.ts'
export * from './settings.ts'
export { schemaOf } from './shared-resources.ts'
export * from './single-flight.ts'
export { inSpan, markSpan } from './spans.ts'
export * from './start.ts'
export * from './unavailable.ts'
export * from './within.ts'
