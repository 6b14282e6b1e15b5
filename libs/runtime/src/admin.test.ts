import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startAdmin } from './admin.ts'
import { createMetrics } from './metrics.ts'

test('the admin port closes at once, also beside connections on which nothing, or half a head, was asked', async () => {
  const { registry } = createMetrics()
  const admin = await startAdmin({
    ...{ port: 0, host: '127.0.0.1', registry },
    notReady: async () => [],
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
