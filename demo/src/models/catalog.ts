import { Refused } from './errors.ts'
import type { Json } from './json.ts'

export interface Model {
  readonly id: string
  readonly does: 'text' | 'embeddings'
  /** The fewest words of an answer that is not cut short. */
  readonly words: number
}

const MODELS: readonly Model[] = [
  { id: 'sample-small', does: 'text', words: 30 },
  { id: 'sample-large', does: 'text', words: 120 },
  { id: 'sample-embedding', does: 'embeddings', words: 0 },
]

/** @throws Refused 404 when there is no such model, 400 when it has another purpose */
export function modelFor(id: string, does: Model['does']): Model {
  const model = find(id)
  if (model.does !== does) throw new Refused(400, `The model '${id}' cannot be used here.`, { param: 'model' })
  return model
}

function find(id: string): Model {
  const model = MODELS.find((known) => known.id === id)
  if (model) return model
  throw new Refused(404, `The model '${id}' does not exist.`, { code: 'model_not_found', param: 'model' })
}

/** The body of `GET /v1/models`. */
export const list = (): Json => ({ object: 'list', data: MODELS.map(row) })

/** The body of `GET /v1/models/{id}`. @throws Refused 404 */
export const retrieve = (id: string): Json => row(find(id))

function row({ id }: Model): Json {
  return { id, object: 'model', created: 1_767_225_600, owned_by: 'callboard-demo', shutdown_date: null }
}
