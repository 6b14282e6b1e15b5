import type { CallMeta } from '@callboard/bus'
import { anonymous, type Caller, type InputOf, type Operation, type ResultOf } from '@callboard/contract'
import { createLogger, type Env, type Running, type ServiceModule, startServices } from '@callboard/runtime'
import type { Clock } from '@callboard/values'
import type { FakeClock } from './clock.ts'

export interface TestServicesOptions {
  readonly databaseUrl: string
  readonly env?: Env
  readonly clock?: Clock
  /** Absent: the bus inside the process. */
  readonly natsUrl?: string
  /** Whether events wait to be batched, as in production; default false. */
  readonly eventsLinger?: boolean
}

export interface TestServices extends Running {
  /** Calls an operation as the given caller; anonymous when none is given. */
  call<Op extends Operation>(
    op: Op,
    input: InputOf<Op>,
    meta?: Partial<CallMeta> & { caller?: Caller },
  ): Promise<ResultOf<Op>>
}

/**
 * Starts services for a test as the runtime would, on a database and a bus of their own, silent unless `TEST_LOG_LEVEL`
 * says otherwise. None of our code is replaced.
 */
export async function startTestServices(
  modules: readonly ServiceModule[],
  options: TestServicesOptions,
): Promise<TestServices> {
  const running = await startServices(modules, {
    env: {
      DATABASE_URL: options.databaseUrl,
      DATABASE_POOL_SIZE: '6',
      SHUTDOWN_GRACE_MS: '5000',
      BASE_URL: 'http://127.0.0.1:8402',
      ...(options.natsUrl ? { NATS_URL: options.natsUrl } : {}),
      ...options.env,
    },
    log: createLogger(process.env.TEST_LOG_LEVEL ?? 'silent'),
    ...(options.clock ? { clock: options.clock } : {}),
    eventBackoff: [20, 50, 100],
    eventsLinger: options.eventsLinger ?? false,
  })
  const { clock } = options
  if (clock && 'onMove' in clock) (clock as FakeClock).onMove(() => running.notifications?.wakeAll())
  return {
    ...running,
    call: (op, input, meta = {}) =>
      running.bus.call(op, input, { caller: anonymous, requestId: 'test', timeoutMs: op.timeoutMs, ...meta }),
  }
}
