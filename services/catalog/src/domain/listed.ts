import type { Conformance, ListingSnapshot, Liveness } from '@callboard/contract'

type Operation = ListingSnapshot['operations'][number]
type Schemas = 'inputSchema' | 'outputSchema'

export type OperationSchemas = Pick<Operation, Schemas>

/** A snapshot without its request and response schemas, which only the single entry shows. */
export type ListedSnapshot = Omit<ListingSnapshot, 'operations'> & { operations: Omit<Operation, Schemas>[] }

/** A published listing as it is read to be shown. */
export interface Listed {
  readonly snapshot: ListedSnapshot
  readonly checkedAt: Date | null
  readonly liveness: Liveness
  readonly conformance: Conformance
  /** Indexes of the operations that last answered with an MPP challenge. */
  readonly mpp: readonly number[]
}

/** A snapshot in its two parts, the schemas by the index of the operation. */
export function splitSchemas(snapshot: ListingSnapshot): { listed: ListedSnapshot; schemas: OperationSchemas[] } {
  const parts = snapshot.operations.map(({ inputSchema, outputSchema, ...operation }) => ({
    operation,
    schemas: { ...(inputSchema ? { inputSchema } : {}), ...(outputSchema ? { outputSchema } : {}) },
  }))
  return {
    listed: { ...snapshot, operations: parts.map(({ operation }) => operation) },
    schemas: parts.map(({ schemas }) => schemas),
  }
}
