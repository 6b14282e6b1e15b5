import type { ListingSnapshot } from '@callboard/contract'
import { schemaHash } from '@callboard/values/schema-hash'

type Operation = ListingSnapshot['operations'][number]

/**
 * A snapshot as the event log keeps it once a later one is stored: whom it pays, what it asks, and for each schema its
 * hash. Everything else only the newest snapshot needs to say, and a provider can make it 300 KB long.
 */
export const abridged = (snapshot: ListingSnapshot): ListingSnapshot => ({
  ...snapshot,
  abridged: true,
  description: '',
  operations: snapshot.operations.map(abridgedOperation),
})

function abridgedOperation({ inputSchema, outputSchema, ...operation }: Operation): Operation {
  const { inputExample: _, sample: __, ...rest } = operation
  return {
    ...rest,
    description: '',
    ...(inputSchema ? { inputSchemaHash: schemaHash(inputSchema) } : {}),
    ...(outputSchema ? { outputSchemaHash: schemaHash(outputSchema) } : {}),
  }
}
