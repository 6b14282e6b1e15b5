import { chain } from './chain.ts'
import { disasters } from './disasters.ts'
import { events } from './events.ts'
import type { Fault } from './fault.ts'
import { processes } from './processes.ts'
import { servers } from './servers.ts'
import { settlement } from './settlement.ts'

/** Every fault that the walk causes in a cluster. */
export const faults: readonly Fault[] = [...processes, ...settlement, ...servers, ...events, ...chain, ...disasters]
