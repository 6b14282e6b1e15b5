import { type Json, listOf, objectOf, textOf } from '../../domain/json.ts'
import { DONE, type Events } from '../answer.ts'
import { endOf, idOf, opened, type ResponseAsked } from '../chat-as-response.ts'
import { responsesUsageBody } from '../usage.ts'
import { ResponseStream } from './response-stream.ts'

/** Converts the chunks of a chat completion, as `messageEventsAsChat` makes them, to the events of a response. */
export function chatChunksAsResponse(asked: ResponseAsked): Events {
  const stream = new ResponseStream()
  const written = { id: '', model: undefined as unknown, finish: undefined as unknown }

  const start = ({ id, model }: Json): Json[] => {
    if (written.id !== '') return []
    Object.assign(written, { id: idOf(id), model })
    const response = opened(asked, written)
    return [stream.event('response.created', { response }), stream.event('response.in_progress', { response })]
  }
  const takeCall = ({ id, function: called }: Json): Json[] => {
    const { name, arguments: text } = objectOf(called)
    return [...(id === undefined ? [] : stream.call(id, name)), ...stream.grow(textOf(text))]
  }
  return {
    take(chunk) {
      const [choice] = listOf(chunk.choices)
      if (!choice || chunk === DONE) return []
      written.finish = choice.finish_reason ?? written.finish
      const said = objectOf(choice.delta)
      return [
        ...start(chunk),
        ...stream.says('reasoning', textOf(said.reasoning_content), written.id, listOf(said.reasoning_details)),
        ...stream.says('text', textOf(said.content) || textOf(said.refusal), written.id),
        ...listOf(said.tool_calls).flatMap(takeCall),
      ]
    },
    end(usage) {
      const begun = start({})
      const { status, details } = endOf(written.finish)
      const closed = stream.close(status === 'incomplete' ? 'incomplete' : 'completed')
      const response = {
        ...opened(asked, written),
        ...{ status, incomplete_details: details, output: stream.output, usage: responsesUsageBody(usage) },
      }
      return [...begun, ...closed, stream.event(`response.${status}`, { response })]
    },
  }
}
