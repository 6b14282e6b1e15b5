import { describe, expect, test } from 'vitest'
import {
  fileUnits,
  isFile,
  isImage,
  isKeptElsewhere,
  isLongCache,
  isSound,
  isSummaryAsked,
  partsIn,
  toolsIn,
} from './prompt-parts.ts'

describe('partsIn', () => {
  test('default: yields every object of a prompt: entries, their content, tool outputs, document sources', () => {
    const named = (name: string, more: object = {}) => ({ name, ...more })
    const prompt = [
      'text',
      named('entry', { content: [named('part'), ['text', named('in a list')]] }),
      named('result', { output: named('screenshot') }),
      named('document', { source: named('source', { content: named('deep') }) }),
    ]
    expect([...partsIn(prompt)].map(({ name }) => name).toSorted()).toEqual([
      'deep',
      'document',
      'entry',
      'in a list',
      'part',
      'result',
      'screenshot',
      'source',
    ])
  })

  test('behavior: other members are not parts, and text has none', () => {
    expect([...partsIn({ input: { type: 'image' }, tools: [{}] })]).toHaveLength(1)
    expect([...partsIn('text'), ...partsIn(undefined), ...partsIn([null, 7, []])]).toEqual([])
  })
})

const typed = (type: unknown, more: object = {}) => ({ type, ...more })

test.each(['image_url', 'input_image', 'image', 'computer_screenshot', 'image_generation_call'])(
  'isImage: %s is an image',
  (type) => {
    expect(isImage(typed(type))).toBe(true)
  },
)

test('isImage: what has the URL of one is an image, whatever its type', () => {
  for (const type of [undefined, null, 'text']) expect(isImage(typed(type, { image_url: 'x' }))).toBe(true)
  expect(isImage({ image_url: null })).toBe(false)
})

test('isImage: nothing else is an image', () => {
  expect(['text', 'file', 'images', '', undefined].map((type) => isImage(typed(type)))).toEqual(Array(5).fill(false))
})

test.each([
  [true, typed('file')],
  [true, typed('input_file')],
  [true, typed('file_url')],
  [true, typed('video')],
  [true, typed('video_url')],
  [true, typed('input_video')],
  [true, typed('document', { source: { type: 'base64' } })],
  [true, typed('document', { source: { type: 'url' } })],
  [false, typed('document', { source: { type: 'text' } })],
  [false, typed('document', { source: 'base64' })],
  [false, typed('image', { source: { type: 'base64' } })],
  [false, typed('image', { source: { type: 'url' } })],
  [true, { video_url: 'x' }],
  [true, typed('text', { video_url: { url: 'x' } })],
  [true, typed('image_url', { image_url: { url: 'data:application/pdf;base64,JVBERi0=' } })],
  [true, typed('input_image', { image_url: 'DATA:video/mp4;base64,AAAA' })],
  [true, typed('image_url', { image_url: { url: 'gs://bucket/1.PDF' } })],
  [true, typed('image_url', { image_url: { url: 'https://files.example/1.pdf?page=1' } })],
  [true, typed('image_url', { image_url: { url: 'https://files.example/1#transform=inline' } })],
  [false, typed('image_url', { image_url: { url: 'data:image/png;base64,iVBOR.pdf' } })],
  [false, typed('image_url', { image_url: { url: 'data:application/octet-stream;base64,iVBOR' } })],
  [false, typed('image_url', { image_url: { url: 'https://pictures.example/1.png?from=1.pdf' } })],
  [false, { video_url: null }],
  [false, typed(undefined)],
])('isFile: returns %j for %j', (is, part) => expect(isFile(part)).toBe(is))

test.each([
  [true, typed('item_reference')],
  [true, typed('container_upload')],
  [true, typed('input_file', { file_id: 'file-1' })],
  [true, typed('file', { file: { file_id: 'file-1' } })],
  [true, { audio: { id: 'audio_1' } }],
  [true, { id: 'msg_1' }],
  [true, typed(null, { id: 'msg_1' })],
  [true, typed('image_generation_call', { id: 'ig_1', result: null })],
  [false, typed('image_generation_call', { id: 'ig_1', result: 'x' })],
  [false, { id: 'msg_1', role: 'user' }],
  [false, typed('message', { id: 'msg_1' })],
  [false, { id: '' }],
  [false, typed('input_file', { file_id: '', file: { file_id: null }, audio: { id: 7 } })],
  [false, typed('file', { file: { file_data: 'x' } })],
  [false, typed('text')],
])('isKeptElsewhere: returns %j for %j', (is, part) => expect(isKeptElsewhere(part)).toBe(is))

test('isSound: only audio is sound', () => {
  const types = ['input_audio', 'audio', 'audio_url', 'text', '']
  expect(types.filter((type) => isSound(typed(type)))).toEqual(['input_audio', 'audio', 'audio_url'])
  expect(isSound(typed('image_url', { image_url: { url: 'data:audio/mp3;base64,AAAA' } }))).toBe(true)
  const parts = [{ audio_url: 'x' }, typed('text', { input_audio: {} }), { audio_url: null, input_audio: null }]
  expect(parts.map(isSound)).toEqual([true, true, false])
})

test.each([
  [4, { type: 'input_file', file_data: 'AAAA', filename: 'https://files.example/1.pdf' }],
  [32, { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } }],
  [4, { type: 'document', source: { type: 'base64', data: 'AAAA' }, title: 'long: '.repeat(9) }],
  [Infinity, { type: 'input_file', file_url: 'https://files.example/1.pdf' }],
  [Infinity, { type: 'file', file: { file_data: 'https://files.example/1.pdf' } }],
  [
    Infinity,
    { type: 'document', source: { type: 'url', url: 'https://files.example/1.pdf' }, context: 'x'.repeat(99) },
  ],
  [Infinity, { type: 'video_url', video_url: { url: 'GS://bucket/1.mp4' } }],
  [Infinity, { type: 'video', video: ['https://files.example/1.png'] }],
])('fileUnits: returns %j for %j', (units, part) => expect(fileUnits(part)).toBe(units))

test('isSummaryAsked: only a trigger asks for one', () => {
  const types = ['compaction_trigger', 'compaction', 'text', undefined]
  expect(types.filter((type) => isSummaryAsked(typed(type)))).toEqual(['compaction_trigger'])
})

test('toolsIn: those that a part lists, and one that it defines', () => {
  const [listed, defined] = [{ type: 'function' }, { type: 'custom' }]
  expect(toolsIn({ tools: [listed, 7] })).toEqual([listed])
  expect(toolsIn({ tool: { definition: defined } })).toEqual([defined])
  expect(toolsIn({ tools: 'x', tool: { type: 'tool_reference', name: 'a' } })).toEqual([])
})

test.each([
  [true, { cache_control: { ttl: '1h' } }],
  [true, { cache_control: { ttl: '' } }],
  [false, { cache_control: { ttl: '5m' } }],
  [false, { cache_control: { ttl: null } }],
  [false, { cache_control: { type: 'ephemeral' } }],
  [false, { cache_control: null }],
  [false, {}],
])('isLongCache: returns %j for %j', (is, part) => expect(isLongCache(part)).toBe(is))
