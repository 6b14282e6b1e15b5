import { OBJECTIVE_GROUPS } from '../slo/index.ts'
import type { Group } from './alert.ts'
import { chains } from './chains.ts'
import { events } from './events.ts'
import { gateway } from './gateway.ts'
import { liveness } from './liveness.ts'
import { payments } from './payments.ts'
import { processes } from './processes.ts'
import { router } from './router.ts'
import { servers } from './servers.ts'
import { watch } from './watch.ts'

const WATCHED = [...OBJECTIVE_GROUPS, processes, servers, gateway, events, payments, chains, router, liveness]

/** Every alert, in the groups in which Prometheus evaluates them. */
export const GROUPS: readonly Group[] = [...WATCHED, watch(WATCHED)]

export type { Alert, Group, Parameter, Recording } from './alert.ts'
