import { failpoints } from '@callboard/runtime'

/**
 * The stages of a model call, in order: its cost is held; an upstream has answered; the first part of a stream has been
 * sent; its answer is complete and delivered so far; it is charged, and its last events have not been sent.
 */
export const callFailpoints = failpoints('router', ['held', 'answered', 'begun', 'ended', 'charged'])
