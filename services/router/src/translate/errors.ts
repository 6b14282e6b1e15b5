import { errorIn } from '../domain/answered/error-in.ts'
import { type Json, objectOf, textOf } from '../domain/json.ts'
import type { Surface } from '../domain/surface.ts'

const MESSAGES_TYPES: ReadonlyMap<number, string> = new Map([[413, 'request_too_large']])

/** The message of an upstream's error in any API: the errors of all of them have a `message`. */
export const messageIn = (json: Json | undefined): string =>
  textOf(objectOf(errorIn(json ?? {})).message) || 'The model’s provider refused the request.'

/** An error body for a status, in the shape of a surface. */
export function errorBody(surface: Surface, status: number, message: string): Json {
  if (surface === 'messages') {
    return { type: 'error', error: { type: MESSAGES_TYPES.get(status) ?? 'invalid_request_error', message } }
  }
  return { error: { message, type: 'invalid_request_error', param: null, code: null } }
}

/** The event of a broken stream, in the shape of a surface. @param next its number among a response's events */
export function errorEvent(surface: Surface, message: string, next: number): Json {
  if (surface === 'messages') return { type: 'error', error: { type: 'api_error', message } }
  if (surface === 'responses')
    return { type: 'error', sequence_number: next, code: 'upstream_error', message, param: null }
  return { error: { message, type: 'server_error', param: null, code: 'upstream_error' } }
}
