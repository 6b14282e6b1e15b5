import type { Json } from '../domain/json.ts'
import type { ModelEntry } from '../domain/model.ts'
import type { Surface } from '../domain/surface.ts'
import { type Candidate, candidatesFor, candidatesOfOtherShape } from '../models/candidates.ts'
import type { Models } from '../models/model-set.ts'
import { type Translation, translationOf } from './translation.ts'
import { Untranslatable } from './untranslatable.ts'

/** A candidate, with the translation of the call if its upstream has another shape. */
export interface UpstreamRoute extends Candidate {
  readonly translation?: Translation
}

/** A call as the client made it. */
export interface Asked {
  readonly surface: Surface
  readonly body: Json
  /** Unix seconds. */
  readonly created: number
}

/**
 * The upstreams that can be asked for a call: those of its own shape first, then the others.
 * @returns an error if the request asks for something that no available upstream can express
 */
export function routesFor(
  models: Models,
  model: ModelEntry,
  { surface, body, created }: Asked,
): readonly UpstreamRoute[] | Untranslatable {
  const own = candidatesFor(models, model, surface)
  const others = candidatesOfOtherShape(models, model, surface)
  const translation = others.length > 0 ? translated(surface, body, created) : undefined
  if (!(translation instanceof Untranslatable)) {
    return translation ? [...own, ...others.map((other) => ({ ...other, translation }))] : own
  }
  return own.length > 0 ? own : translation
}

function translated(surface: Surface, body: Json, created: number): Translation | Untranslatable | undefined {
  try {
    return translationOf(surface, body, created)
  } catch (error) {
    if (error instanceof Untranslatable) return error
    throw error
  }
}
