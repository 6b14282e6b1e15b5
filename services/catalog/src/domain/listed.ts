import type { Conformance, EndpointPayment, EndpointSample, ListingSnapshot, Liveness } from '@callboard/contract'

type Operation = ListingSnapshot['operations'][number]
type Schemas = 'inputSchema' | 'outputSchema'

/** What only the single entry shows of an operation. */
export type OperationSchemas = Pick<Operation, Schemas> & { readonly sample?: Omit<EndpointSample, 'headers'> }

/** A snapshot without its schemas and samples. */
export type ListedSnapshot = Omit<ListingSnapshot, 'operations'> & { operations: Omit<Operation, Schemas | 'sample'>[] }

/** Of an operation what lists and pages show. */
export interface ShownOperation extends Pick<Operation, 'name' | 'method' | 'url' | 'description' | 'price'> {
  readonly payment: Omit<EndpointPayment, 'amount'> | null
}

/** Of a snapshot what lists and pages show. */
export interface ShownSnapshot
  extends Pick<
    ListingSnapshot,
    'slug' | 'name' | 'description' | 'category' | 'group' | 'provenance' | 'fee' | 'verification'
  > {
  readonly operations: readonly ShownOperation[]
}

/** A published listing as it is read to be shown. */
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

/** Of a sample what says how a call looks; its headers are for probes alone. */
const shownSample = ({ headers: _, ...shown }: EndpointSample): Omit<EndpointSample, 'headers'> => shown

/** A snapshot in its two parts, schemas and samples by the index of the operation. */
export function splitSchemas(snapshot: ListingSnapshot): { listed: ListedSnapshot; schemas: OperationSchemas[] } {
  const parts = snapshot.operations.map(({ inputSchema, outputSchema, sample, ...operation }) => ({
    operation,
    schemas: {
      ...(inputSchema ? { inputSchema } : {}),
      ...(outputSchema ? { outputSchema } : {}),
      ...(sample ? { sample: shownSample(sample) } : {}),
    },
  }))
  return {
    listed: { ...snapshot, operations: parts.map(({ operation }) => operation) },
    schemas: parts.map(({ schemas }) => schemas),
  }
}
