import { memoizeBy } from '@callboard/values'
import type { Target } from '../target.ts'

/** A value created on first use, once per target in a run: signing in and linking are rate-limited. */
export const perTarget = <Made>(make: (target: Target) => Promise<Made>) => memoizeBy(make, ({ baseUrl }) => baseUrl)
