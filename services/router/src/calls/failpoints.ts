import { failpoints } from '@callboard/runtime'

/**
 * Where a model call stands, in order: its cost is held; an upstream answers; the first of a stream has left; its answer is
 * whole and has come so far; it is charged, and its last words have not left.
 */
export const callFailpoints = failpoints('router', ['held', 'answered', 'begun', 'ended', 'charged'])
