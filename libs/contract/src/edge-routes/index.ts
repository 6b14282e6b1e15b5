import { documents } from './documents.ts'
import type { EdgeRoute } from './edge-route.ts'
import { pages } from './pages.ts'

export type { EdgeRoute } from './edge-route.ts'

/** Every route that the gateway answers itself. */
export const edgeRoutes: readonly EdgeRoute[] = [...pages, ...documents]
