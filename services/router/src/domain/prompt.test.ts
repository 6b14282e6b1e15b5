import { describe, expect, test } from 'vitest'
import { PROMPT_FAULTS } from './prompt.ts'

const NO_LIST = 'must be a list with at least one entry'
const NO_OBJECTS = 'must have objects as entries'
const NO_INPUT = 'must be text, tokens, or a list of either'
const TOO_MANY = 'must have at most 2000 entries'

describe.each(['chat', 'messages', 'responses'] as const)('the prompt of %s', (surface) => {
  const faultOf = PROMPT_FAULTS[surface]

  test.each<[unknown, string | undefined]>([
    [[{}], undefined],
    [new Array(2_000).fill({}), undefined],
    [new Array(2_001).fill({}), TOO_MANY],
    [[], NO_LIST],
    [{ length: 1 }, NO_LIST],
    [undefined, NO_LIST],
    [[{}, 'text'], NO_OBJECTS],
    [[[]], NO_OBJECTS],
  ])('must be a list of 1 to 2,000 objects', (prompt, fault) => expect(faultOf(prompt)).toBe(fault))
})

test('may be non-empty text for a response, but not for a chat or a message', () => {
  expect(PROMPT_FAULTS.responses('Hello')).toBeUndefined()
  expect(PROMPT_FAULTS.responses('')).toBe('must not be empty')
  expect([PROMPT_FAULTS.chat('Hello'), PROMPT_FAULTS.messages('Hello')]).toEqual([NO_LIST, NO_LIST])
})

describe('the input of embeddings', () => {
  test.each<[string, unknown]>([
    ['text', 'Hello'],
    ['tokens, the first of which is 0', [0, 50_256]],
    ['a list of texts', ['a', 'b']],
    ['a list of tokens', [[1], [2, 3]]],
    ['as many as may be', new Array(2_000).fill('a')],
    ['a long text of tokens', new Array(2_001).fill(1)],
  ])('default: %s', (_what, input) => expect(PROMPT_FAULTS.embeddings(input)).toBeUndefined())

  test.each<[string, unknown, string]>([
    ['an empty text', '', 'must not be empty'],
    ['nothing', undefined, NO_INPUT],
    ['an object', { length: 1 }, NO_INPUT],
    ['an empty list', [], NO_INPUT],
    ['an empty text among others', ['a', ''], NO_INPUT],
    ['texts and tokens', ['a', [1]], NO_INPUT],
    ['a list of no tokens', [[1], []], NO_INPUT],
    ['a token below 0', [1, -1], NO_INPUT],
    ['half a token', [1, 0.5], NO_INPUT],
    ['a token among lists of them', [[1], 2], NO_INPUT],
    ['one more than may be', new Array(2_001).fill('a'), TOO_MANY],
  ])('400: %s', (_what, input, fault) => expect(PROMPT_FAULTS.embeddings(input)).toBe(fault))
})
