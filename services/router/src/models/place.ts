import type { Outcome } from '../domain/breaker.ts'
import type { Candidate } from './candidates.ts'

/** The key of a breaker: an upstream and its name for the model, and a part of its API that is judged apart. */
export type Place = Pick<Candidate, 'upstream' | 'model' | 'part'>

/** Counts are judged apart. A response is judged with the other answers, apart from whether there is such an API. */
export const placesOf = (place: Place): readonly Place[] =>
  place.part === 'responses' ? [{ ...place, part: undefined }, place] : [place]

/** What an outcome means for one of the places of a call. */
export function outcomeAt({ part }: Place, asked: Place, outcome: Outcome): Outcome {
  if (asked.part !== 'responses' || outcome.kind === 'answered') return outcome
  const isOfPart = outcome.kind === 'model_missing'
  return isOfPart === (part === 'responses') ? outcome : { kind: 'abandoned' }
}

/** The text by which a place is known. */
export const placeName = ({ upstream, model, part }: Place): string =>
  `${upstream.name} ${model}${part ? ` (${part})` : ''}`

/** The same for the whole of its API. */
export const modelPlaceOf = (text: string): string => text.replace(/ \((counts|responses)\)$/, '')
