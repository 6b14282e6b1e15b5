import type { splitterCreated } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepSplitter } from '../store/splitter.repository.ts'

export const onSplitterCreated: CatalogConsumer<typeof splitterCreated> = async (seen, { tx, envelope }) => {
  await keepSplitter(tx, { ...seen, sequence: envelope.sequence }, false)
}
