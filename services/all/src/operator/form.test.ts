import { describe, expect, test } from 'vitest'
import { type Form, ownWords, strayOption, usageOf, verbOf } from './form.ts'

const form = (words: string, options?: string): Form => ({
  words,
  options,
  run: async () => 0,
})
const own = (words: string, given: string) => ownWords(form(words), given.split(' ').filter(Boolean))

describe('ownWords', () => {
  test('default: the words in capitals, without the fixed ones', () => {
    expect(own('dead-letters show SERVICE EVENT_ID', 'dead-letters show catalog e1')).toEqual(['catalog', 'e1'])
    expect(own('payment HASH|KEY', 'payment 0xab')).toEqual(['0xab'])
    expect(own('sources list', 'sources list')).toEqual([])
  })

  test('behavior: a word in brackets may be left out', () => {
    expect(own('why SLUG [QUERY]', 'why tides')).toEqual(['tides'])
    expect(own('why SLUG [QUERY]', 'why tides rain')).toEqual(['tides', 'rain'])
    expect(own('why SLUG [QUERY]', 'why tides rain more')).toBeUndefined()
  })

  test('behavior: as many as there are, with …', () => {
    const words = 'add NAME [HOURS] [FILTER=VALUE …]'
    expect(own(words, 'add one')).toEqual(['one'])
    expect(own(words, 'add one a=1 6 b=2 c=3')).toEqual(['one', 'a=1', '6', 'b=2', 'c=3'])
  })

  test.each(['', 'look', 'look one two', 'Look one', 'one look'])('error: undefined for “%s”', (given) => {
    expect(own('look SLUG', given)).toBeUndefined()
  })

  test('error: undefined for an empty word', () => {
    expect(ownWords(form('look SLUG'), ['look', ''])).toBeUndefined()
  })
})

const forms = [form('look SLUG'), form('models check', '[--call]'), form('reject SLUG', '--reason TEXT [--note TEXT]')]
const [look, check, reject] = forms as [Form, Form, Form]

test('a form takes the options that it shows, and --by', () => {
  expect(strayOption(reject, { reason: 'spam', note: 'seen', by: 'ada' }, forms)).toBeUndefined()
  expect(strayOption(look, { reason: 'spam' }, forms)).toEqual({ name: 'reason', verbs: ['reject'] })
  expect(strayOption(reject, { call: true }, forms)).toEqual({ name: 'call', verbs: ['models check'] })
})

test('a verb is the fixed words of a form', () => {
  expect([look, check, form('router why KEY [USD]'), form('audit [SUBJECT]'), form('reconcile')].map(verbOf)).toEqual([
    ...['look', 'models check', 'router why', 'audit', 'reconcile'],
  ])
})

test('the usage has each form on a line', () => {
  expect(usageOf(forms)).toBe(`usage: npm run operator -- look SLUG
       npm run operator -- models check [--call]
       npm run operator -- reject SLUG --reason TEXT [--note TEXT]`)
})
