import type { splitterReverted } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepSplitter } from '../store/splitter.repository.ts'

export const onSplitterReverted: CatalogConsumer<typeof splitterReverted> = async (seen, { tx, envelope }) => {
  await keepSplitter(tx, { ...seen, sequence: envelope.sequence }, true)
}
