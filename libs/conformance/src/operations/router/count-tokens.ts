import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { emptyKeyOf, sending, UNKNOWN_KEY } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { bought, sold } from '../../models/sold.ts'
import type { Register } from '../../target.ts'

const op = router.countTokens
/** The path that Claude Code uses. */
const PATH = '/v1/messages/count_tokens?beta=true'
const body = (model: string, words = 1) => ({
  model,
  messages: [{ role: 'user', content: 'weather '.repeat(words) }],
})

export const countTokens: Register = (target) => {
  bought(target, 'messages', 'more words are more tokens', async ({ id }, { key: { xApiKey } }) => {
    const short = accepted(op, await xApiKey.post(PATH, body(id)))
    const long = accepted(op, await xApiKey.post(PATH, body(id, 50)))
    expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 40)
  })

  sold(target, 'messages', '402 insufficient_quota: a key that could not make a call', async ({ id }) => {
    const { xApiKey } = await emptyKeyOf(target())
    const answer = await xApiKey.post(PATH, body(id))
    expect(refused(op, answer, 402, 'insufficient_quota')).toMatchObject({ error: { limit: 'balance' } })
  })

  test('400 names the field: no messages', async () => {
    const { bearer } = await emptyKeyOf(target())
    refused(op, await bearer.post(PATH, { model: 'any' }), 400, 'invalid_request', 'messages')
  })

  test('404 model_not_found: a model that is not sold', async () => {
    const { bearer } = await emptyKeyOf(target())
    refused(op, await bearer.post(PATH, body('conformance-no-such-model')), 404, 'model_not_found', 'model')
  })

  test('401 unauthorized: an unknown key', async () => {
    const { xApiKey } = sending(target(), UNKNOWN_KEY)
    refused(op, await xApiKey.post(PATH, body('any')), 401, 'unauthorized')
  })
}
