import { type Json, textOf } from '../../domain/json.ts'
import type { Surface } from '../../domain/surface.ts'
import { DONE } from '../answer.ts'

/** The text of an event in a stream, in the shape of a surface; chat events have no names. */
export function eventText(surface: Surface, event: Json): string {
  if (event === DONE) return 'data: [DONE]\n\n'
  const data = `data: ${JSON.stringify(event)}\n\n`
  return surface === 'chat' ? data : `event: ${textOf(event.type)}\n${data}`
}
