import type { ModelEntry, UpstreamEntry } from '../domain/model.ts'
import type { Surface } from '../domain/surface.ts'
import type { Models } from './model-set.ts'

/** An upstream that has a model, and the model's name there. */
export interface Candidate {
  readonly upstream: UpstreamEntry
  readonly model: string
  /** The part of its API that is asked, if many upstreams do not have it. */
  readonly part?: 'counts' | 'responses' | undefined
}

type Shape = UpstreamEntry['shape']

const shapeOf = (surface: Surface): Shape => (surface === 'messages' ? 'anthropic' : 'openai')

/**
 * The upstreams that offer a surface for a model, in the order in which they are tried: a weighted draw.
 * @param random draws from [0, 1)
 */
export const candidatesFor = (
  models: Models,
  model: ModelEntry,
  surface: Surface,
  random: () => number = Math.random,
): Candidate[] => {
  const own = drawn(models, model, shapeOf(surface), random)
  return surface === 'responses' ? own.map((one) => ({ ...one, part: 'responses' })) : own
}

/** The upstreams of the other shape, which need a translated request, drawn in the same way. */
export const candidatesOfOtherShape = (
  models: Models,
  model: ModelEntry,
  surface: Surface,
  random: () => number = Math.random,
): Candidate[] => drawn(models, model, shapeOf(surface) === 'openai' ? 'anthropic' : 'openai', random)

function drawn(models: Models, model: ModelEntry, shape: Shape, random: () => number): Candidate[] {
  return model.upstreams
    .map((entry) => ({
      upstream: models.upstreamOf(entry.upstream),
      model: entry.model ?? model.id,
      weight: entry.weight,
    }))
    .filter(({ upstream }) => upstream.shape === shape)
    .map(({ upstream, model: there, weight }) => ({ upstream, model: there, draw: drawOf(weight, random) }))
    .sort((one, other) => other.draw - one.draw)
    .map(({ upstream, model: there }) => ({ upstream, model: there }))
}

/** In logarithms, as weights may be of any size: a power of a small one would be 0 for all. */
const drawOf = (weight: number, random: () => number): number => Math.log(random() || Number.MIN_VALUE) / weight
