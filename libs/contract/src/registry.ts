import type { EventDeclaration } from './event.ts'
import * as events from './events/index.ts'
import type { Operation } from './operation.ts'
import * as services from './operations/index.ts'

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'id' in value && 'input' in value && 'output' in value

/** Every operation, by id, in the order of the contract's files. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.values(services)
    .flatMap((service) => Object.values(service) as unknown[])
    .filter(isOperation)
    .map((op) => [op.id, op]),
)

/** Every event. */
export const allEvents: readonly EventDeclaration[] = Object.values(events)
