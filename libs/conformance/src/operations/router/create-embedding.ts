import { router } from '@callboard/contract'
import { expect } from 'vitest'
import { z } from 'zod'
import { accepted } from '../../expectations/expectations.ts'
import { type ModelCall, registerRefusedCalls } from '../../models/refused-calls.ts'
import { bought } from '../../models/sold.ts'
import { paidFor } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const op = router.createEmbedding
const PATH = '/v1/embeddings'

const body = (model: string, input: unknown = 'paid weather data') => ({ model, input })

const CALL: ModelCall = {
  op,
  path: PATH,
  capability: 'embeddings',
  body: (model) => body(model),
  wrong: [
    ['input', { input: undefined }],
    ['input', { input: '' }],
    ['input', { input: [] }],
    ['input', { input: 7 }],
    ['model', { model: undefined }],
    ['model', { model: 'a'.repeat(129) }],
  ],
}

const Embedded = op.http.answer.extend({
  data: z.array(z.looseObject({ index: z.int(), embedding: z.array(z.number()).min(1) })),
  usage: z.looseObject({ prompt_tokens: z.int().positive(), total_tokens: z.int().positive() }),
})

export const createEmbedding: Register = (target) => {
  registerRefusedCalls(target, CALL)

  bought(target, 'embeddings', 'one vector for each input, paid from the balance', async ({ id }, { key }) => {
    const one = await paidFor(key.bearer, () => key.bearer.post(PATH, body(id)))
    expect(accepted(op, one, Embedded).data).toHaveLength(1)
    const two = await paidFor(key.xApiKey, () => key.xApiKey.post(PATH, body(id, ['weather', 'rates'])))
    expect(accepted(op, two, Embedded).data.map(({ index }) => index)).toEqual([0, 1])
  })
}
