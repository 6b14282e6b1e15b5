import { memoizeBy } from '@callboard/values'
import type { Target } from '../target.ts'

/** Something that a run makes once for each target, when it is first asked for: signing in and linking are rate-limited. */
export const perTarget = <Made>(make: (target: Target) => Promise<Made>) => memoizeBy(make, ({ baseUrl }) => baseUrl)
