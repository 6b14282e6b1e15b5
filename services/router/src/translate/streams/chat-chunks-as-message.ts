import { reasoningIn, textOfContent } from '../../domain/answered/chat-parts.ts'
import { type Json, listOf, objectOf, textOf } from '../../domain/json.ts'
import type { Events } from '../answer.ts'
import { type MessageAsked, stopOf } from '../chat-as-message.ts'
import { MessageStream } from './message-stream.ts'
import { ToolBlocks } from './tool-blocks.ts'

/** Converts the chunks of a chat completion to the events of a message. */
export function chatChunksAsMessage({ thinking }: MessageAsked): Events {
  const stream = new MessageStream()
  const tools = new ToolBlocks(stream)
  let finish: unknown
  let refused = false

  const says = (text: string, block: Json & { readonly type: 'text' | 'thinking' }, said: Json): Json[] => {
    if (text === '') return []
    const begun = stream.open === block.type ? [] : [...tools.rest(), ...stream.begin(block)]
    return [...begun, stream.delta(stream.at, said)]
  }
  return {
    take(chunk) {
      const [choice] = listOf(chunk.choices)
      if (!choice) return []
      finish = choice.finish_reason ?? finish
      const said = objectOf(choice.delta)
      refused ||= textOf(said.refusal) !== ''
      const thought = thinking ? reasoningIn(said) : ''
      const text = textOfContent(said.content) || textOf(said.refusal)
      return [
        ...stream.start(chunk),
        ...says(
          thought,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: thought },
        ),
        ...says(text, { type: 'text', text: '', citations: null }, { type: 'text_delta', text }),
        ...listOf(said.tool_calls).flatMap((piece) => tools.take(piece)),
      ]
    },
    end: (usage) => [
      ...stream.start({}),
      ...tools.rest(),
      ...stream.end(stopOf(finish, { calls: tools.size > 0, refused }), usage),
    ],
  }
}
