import type { Conformance, EndpointPayment, EndpointSample, ListingSnapshot, Liveness } from '@callboard/contract'

type Operation = ListingSnapshot['operations'][number]
type Schemas = 'inputSchema' | 'inputExample' | 'outputSchema'

/** The parts of an operation that only the single entry shows. */
export type OperationSchemas = Pick<Operation, Schemas> & { readonly sample?: Omit<EndpointSample, 'headers'> }

/** A snapshot without its schemas, examples and samples. */
export type ListedSnapshot = Omit<ListingSnapshot, 'operations'> & { operations: Omit<Operation, Schemas | 'sample'>[] }

/** The parts of an operation that lists and pages show. */
export interface ShownOperation extends Pick<Operation, 'name' | 'method' | 'url' | 'description' | 'price'> {
  readonly payment: Omit<EndpointPayment, 'amount'> | null
}

/** The parts of a snapshot that lists and pages show. */
export interface ShownSnapshot
  extends Pick<
    ListingSnapshot,
    'slug' | 'name' | 'description' | 'category' | 'group' | 'provenance' | 'fee' | 'verification'
  > {
  readonly operations: readonly ShownOperation[]
}

/** A published listing in the form that is read for display. */
export interface Listed<Snapshot extends ShownSnapshot = ShownSnapshot> {
  readonly snapshot: Snapshot
  readonly checkedAt: Date | null
  readonly liveness: Liveness
  readonly conformance: Conformance
  /** Indexes of the operations that last answered with an MPP challenge. */
  readonly mpp: readonly number[]
}

/** A published listing as the directory holds it. */
export interface DirectoryListing extends Listed {
  /** The calls of its `Usage`. */
  readonly calls: number
}

/** The parts of a sample that show how to call; its headers are for probes only. */
const shownSample = ({ headers: _, ...shown }: EndpointSample): Omit<EndpointSample, 'headers'> => shown

/** Splits a snapshot in two, schemas and samples being by the index of the operation. */
export function splitSchemas(snapshot: ListingSnapshot): { listed: ListedSnapshot; schemas: OperationSchemas[] } {
  const parts = snapshot.operations.map(({ inputSchema, inputExample, outputSchema, sample, ...operation }) => ({
    operation,
    schemas: {
      ...(inputSchema ? { inputSchema } : {}),
      ...(inputExample ? { inputExample } : {}),
      ...(outputSchema ? { outputSchema } : {}),
      ...(sample ? { sample: shownSample(sample) } : {}),
    },
  }))
  return {
    listed: { ...snapshot, operations: parts.map(({ operation }) => operation) },
    schemas: parts.map(({ schemas }) => schemas),
  }
}
