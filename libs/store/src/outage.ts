/**
 * SQLSTATEs that concern the server, not the statement. It refuses to let us sign in while a password is being replaced,
 * or a database restored.
 * @source PostgreSQL documentation, appendix A: classes 08, 28, 53, 57P and 25006, 25P03, 3D000, 55P03, 57014
 */
const SERVER_STATES = /^(08...|28...|53...|57P..|25006|25P03|3D000|55P03|57014)$/
/** Node's codes for connection errors. */
const CONNECTION_CODES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** Errors that node-postgres and ioredis identify only by message. */
const SENTENCES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Postgres connection has been discarded|Command timed out|Connection is closed|Reached the max retries per request limit)/

/**
 * What Redis answers, itself or within a script, while it takes nothing: it is a replica, starts, has no room, or knows
 * another password than we do.
 * @source Redis, src/server.c, createSharedObjects, and src/acl.c
 */
const REDIS_STATES =
  /\b(READONLY You can't write|LOADING Redis is|MASTERDOWN Link with|NOREPLICAS Not enough|MISCONF |OOM command not allowed|NOAUTH |WRONGPASS )/

/** @source PostgreSQL documentation, appendix A: insufficient_privilege */
const INSUFFICIENT_PRIVILEGE = '42501'

/** Whether Postgres refused a statement for lack of a privilege. */
export const isRightRefused = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === INSUFFICIENT_PRIVILEGE) || isRightRefused(error.cause))

/** @source PostgreSQL documentation, appendix A: lock_not_available */
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether a statement exceeded its lock timeout. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE

/** @source PostgreSQL documentation, appendix A: lock_not_available, query_canceled */
const TIMEOUTS = /^(55P03|57014)$/

/** Whether a statement exceeded its time, of which it may be the cause itself. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && TIMEOUTS.test(String(error.code))) || isStatementTimeout(error.cause))

/** Whether an error, or its cause, means that Postgres or Redis is unavailable: nothing is wrong with the request. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // The file of a Unix socket is missing while its server is down.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  if (SERVER_STATES.test(code) || CONNECTION_CODES.test(code)) return true
  if (SENTENCES.test(error.message) || REDIS_STATES.test(error.message)) return true
  if (error instanceof AggregateError && error.errors.some(isOutage)) return true
  return isOutage(error.cause)
}
