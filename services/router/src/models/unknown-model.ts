import { refuse } from '@callboard/values'
import type { Surface } from '../domain/surface.ts'
import type { Models } from './model-set.ts'

/** The most models named in a message; for more, it refers to the list. */
const NAMED = 8

/** Refuses a model not sold, or not on this route. Model clients show only the message, so it lists those that are. */
export function unknownModel({ all, find }: Pick<Models, 'all' | 'find'>, asked: string, surface?: Surface) {
  const sold = all.filter(({ capabilities }) => surface === undefined || capabilities.includes(surface))
  const what = find(asked) ? `The model ${asked} does not support this (${surface}).` : 'There is no such model here.'
  return refuse('model_not_found', { field: 'model', message: `${what} ${named(sold.map(({ id }) => id))}` })
}

function named(ids: readonly string[]): string {
  if (ids.length === 0) return 'This instance sells none: its operator lists them in the file of ROUTER_MODELS.'
  const more = ids.length - NAMED
  return `There ${ids.length === 1 ? 'is' : 'are'} ${ids.slice(0, NAMED).join(', ')}${more > 0 ? `, and ${more} more: GET /v1/models lists them` : ''}.`
}
