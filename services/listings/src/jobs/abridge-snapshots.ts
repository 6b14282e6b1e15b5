import { forgetting } from '@callboard/runtime'
import { HOUR_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { abridgeSnapshots as abridge } from '../store/snapshot.repository.ts'

/** Consumers have handled the whole snapshot by then, or will receive the last one as well (docs/adr/0141). */
export const abridgeSnapshots = forgetting<ListingsContext>('abridge-snapshots', HOUR_MS, abridge)
