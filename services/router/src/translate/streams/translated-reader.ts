import { objectIn } from '../../domain/json.ts'
import type { SseFrame } from '../../domain/sse.ts'
import type { StreamReader } from '../../domain/stream-usage.ts'
import type { Surface } from '../../domain/surface.ts'
import { errorEvent, messageIn } from '../errors.ts'
import type { Translation } from '../translation.ts'
import { eventText } from './sse-text.ts'

/**
 * Reads a stream with its own reader and writes it in the shape of a surface: usage, end and failure are those of the
 * inner reader.
 */
export function translatedReader(
  reader: StreamReader,
  { surface, translation }: { surface: Surface; translation: Translation },
): StreamReader {
  const events = translation.events()
  let next = 0
  const take = (frame: SseFrame): string => {
    const { done, failed } = reader
    reader.take(frame)
    const json = objectIn(frame.data ?? '')
    if (reader.failed) return failed ? '' : eventText(surface, errorEvent(surface, messageIn(json), next++))
    const put = json && !done ? events.take(json) : []
    next += put.length
    return put.map((event) => eventText(surface, event)).join('')
  }
  return {
    take,
    end: (usage) =>
      events
        .end(usage)
        .map((event) => eventText(surface, event))
        .join(''),
    get usage() {
      return reader.usage
    },
    get done() {
      return reader.done
    },
    get finished() {
      return reader.finished
    },
    get failed() {
      return reader.failed
    },
    get next() {
      return next
    },
    get text() {
      return reader.text
    },
    get said() {
      return reader.said
    },
  }
}
