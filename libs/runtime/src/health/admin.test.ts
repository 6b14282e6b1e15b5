import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createLogger } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { startAdmin } from './admin.ts'
import { watchingChains } from './chain-calls.ts'
import { Readiness } from './readiness.ts'

test('the admin port closes at once, even with connections that sent nothing or half a head', async () => {
  const { registry } = createMetrics()
  const admin = await startAdmin({
    ...{ port: 0, host: '127.0.0.1', registry },
    report: async () => ({ notReady: [], notes: [] }),
    beforeMetrics: async () => {},
  })
  const silent = connect(admin.port, '127.0.0.1')
  const halfway = connect(admin.port, '127.0.0.1')
  halfway.write('GET /livez HTTP/1.1\r\n')
  await Promise.all([once(silent, 'connect'), once(halfway, 'connect')])
  expect(await (await fetch(`http://127.0.0.1:${admin.port}/livez`)).text()).toBe('ok\n')
  const cut = Promise.all([silent, halfway].map((socket) => once(socket, 'close')))
  await admin.close()
  await cut
})

test('/readyz: an RPC endpoint of another chain is a note while another one serves, and a reason if none does', async () => {
  const metrics = createMetrics()
  const readiness = new Readiness()
  const admin = await startAdmin({
    ...{ port: 0, host: '127.0.0.1', registry: metrics.registry },
    report: async () => readiness.report(),
    beforeMetrics: async () => {},
  })
  const readyz = async () => {
    const answer = await fetch(`http://127.0.0.1:${admin.port}/readyz`)
    return [answer.status, await answer.text()]
  }
  const { endpoint } = watchingChains({ name: 'listings', metrics, readiness, log: createLogger('silent') })
  const about = { network: 'eip155:8453' } as const
  const words = 'RPC endpoint 2:rpc.example of eip155:8453 is of chain id 1 and is left out'
  endpoint({ ...about, endpoint: '1:other.example', state: 'proven' })
  expect(await readyz()).toEqual([200, 'ok\n'])
  endpoint({ ...about, endpoint: '2:rpc.example', state: 'foreign', chainId: 1 })
  expect(await readyz()).toEqual([200, `ok\nnote: ${words}\n`])
  endpoint({ ...about, endpoint: '1:other.example', state: 'unproven' })
  expect(await readyz()).toEqual([503, `${words}\n`])
  endpoint({ ...about, endpoint: '2:rpc.example', state: 'proven' })
  expect(await readyz()).toEqual([200, 'ok\n'])
  await admin.close()
})
