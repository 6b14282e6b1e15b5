import type { postingChanged } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepPosting } from '../store/posting.repository.ts'

export const onPostingChanged: CatalogConsumer<typeof postingChanged> = async (posting, { tx }) => {
  await keepPosting(tx, posting)
}
