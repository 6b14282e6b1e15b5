import type { chainProgressed } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepProgress } from '../store/chain-progress.repository.ts'

export const onChainProgressed: CatalogConsumer<typeof chainProgressed> = async (said, { tx, envelope }) => {
  await keepProgress(tx, { ...said, sequence: envelope.sequence })
}
