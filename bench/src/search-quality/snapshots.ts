import type { DirectoryRecord } from '../../../services/catalog/src/directory/indexed-listing.ts'
import type { ListedSnapshot } from '../../../services/catalog/src/domain/listed.ts'

export const snapshotOf = ({ snapshot }: DirectoryRecord): ListedSnapshot => JSON.parse(snapshot)
