import type { probeRequested } from '@callboard/contract'
import type { EventConsumer } from '@callboard/runtime'
import type { ProberContext } from '../context.ts'
import { addResourceProbe } from '../store/resource-probe.repository.ts'
import type { ProberTables } from '../store/tables.ts'

/** The probe waits for the next visit of its origin, as the checks of listings do. */
export const onProbeRequested: EventConsumer<typeof probeRequested, ProberContext, ProberTables> = (
  request,
  { tx, clock },
) => addResourceProbe(tx, request, new Date(clock.now()))
