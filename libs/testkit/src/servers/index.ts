export { findCargoProgram } from './cargo.ts'
export { findChromium } from './chromium.ts'
export { type FlashblocksProxy, flashblocksProxy } from './flashblocks-proxy.ts'
export { type Found, foundParts, type Part, type PartSummary } from './found.ts'
export type { IsolatedServer } from './isolated.ts'
export { findNats, type NatsServer, type NatsServerOptions, natsVersion, startNatsServer } from './nats.ts'
export { findPackages, type Packages } from './npm.ts'
export {
  findPgBouncer,
  findPreparingPgBouncer,
  type PgBouncer,
  type PgBouncerOptions,
  startPgBouncer,
} from './pgbouncer.ts'
export { findSecondPostgres, postgresVersion, startPostgresFrom, startSecondPostgres } from './postgres.ts'
export { type NoProgram, type Program, programHere } from './programs.ts'
export { startAlertmanager, startPrometheus, type Watcher, type WatcherOptions } from './prometheus.ts'
export { findPromtool } from './promtool.ts'
export { findPython } from './python.ts'
export { findRedis, type RedisServerOptions, redisPing, startRedisServer } from './redis.ts'
export { type Asked, type Lie, type RpcAnswer, type RpcProxy, type RpcProxyOptions, rpcProxy } from './rpc-proxy.ts'
