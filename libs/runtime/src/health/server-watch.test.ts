import { describe, expect, test } from 'vitest'
import { ServerWatch } from './server-watch.ts'

describe('ServerWatch', () => {
  test('default: a server that answers is reported with its response time', async () => {
    const [state] = await new ServerWatch([{ server: 'redis', ask: async () => 'PONG' }]).look()
    expect(state).toEqual({ server: 'redis', seconds: expect.any(Number) })
  })

  test('error: an unreachable server is reported with its reason, and does not delay the others', async () => {
    const watch = new ServerWatch([
      { server: 'postgres', ask: () => Promise.reject(new Error('connect ECONNREFUSED')) },
      { server: 'redis', ask: async () => 'PONG' },
    ])
    expect(await watch.look()).toMatchObject([
      { server: 'postgres', problem: 'connect ECONNREFUSED' },
      { server: 'redis', seconds: expect.any(Number) },
    ])
  })

  test('error: a hanging server is reported without an answer, and is asked again only once it answers', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    const ask = () => {
      asked += 1
      return asked === 1 ? promise : Promise.resolve()
    }
    const watch = new ServerWatch([{ server: 'nats', ask }], 5)
    const hangs = { server: 'nats', problem: 'no answer within 0.005 s' }
    expect(await watch.look()).toEqual([hangs])
    expect(await watch.look()).toEqual([hangs])
    expect(asked).toBe(1)
    resolve()
    await promise
    await watch.look()
    expect(await watch.look()).toEqual([{ server: 'nats', seconds: expect.any(Number) }])
  })
})
