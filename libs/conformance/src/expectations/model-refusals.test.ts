import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import type { Answer } from '../actors/client.ts'
import { refused } from './expectations.ts'

const answer = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': 'a1',
    'x-content-type-options': 'nosniff',
    ...headers,
  }),
  text: JSON.stringify(body),
  json: () => body,
})

const OPENAI = { message: 'No such model.', type: 'invalid_request_error', param: 'model', code: 'model_not_found' }
const ANTHROPIC = { type: 'error', error: { type: 'not_found_error', message: 'No such model.' }, request_id: 'a1' }

test('openai: error: another code, type or param, or a body in our own format', () => {
  const check = (error: object) =>
    refused(router.createChatCompletion, answer(404, { error }), 404, 'model_not_found', 'model')
  check(OPENAI)
  for (const change of [{ code: 'not_found' }, { type: 'server_error' }, { param: null }, { message: '' }]) {
    expect(() => check({ ...OPENAI, ...change })).toThrow()
  }
  const ours = answer(404, { error: 'model_not_found', message: 'No such model.', field: 'model' })
  expect(() => refused(router.createChatCompletion, ours, 404, 'model_not_found', 'model')).toThrow()
})

test('anthropic: error: another type, a message without the field, a request id that differs from the header', () => {
  const check = (body: object, id = 'a1') =>
    refused(router.createMessage, answer(404, body, { 'request-id': id }), 404, 'model_not_found', 'model')
  check(ANTHROPIC)
  expect(() => check(ANTHROPIC, 'b2')).toThrow()
  expect(() => check({ error: OPENAI })).toThrow()
  for (const change of [{ type: 'api_error' }, { message: 'No.' }]) {
    expect(() => check({ ...ANTHROPIC, error: { ...ANTHROPIC.error, ...change } })).toThrow()
  }
})
