// A seller that speaks only the machine payments protocol: mppx behind Node's http, paid on Tempo.
import { createServer } from 'node:http'
import { Mppx, tempo } from 'mppx/server'

export default async ({ payTo, listen }) => {
  const mppx = Mppx.create({
    methods: [tempo({ currency: '0x20c0000000000000000000000000000000000000', recipient: payTo })],
    secretKey: 'x'.repeat(32),
    realm: 'tides.example',
  })
  const charge = Mppx.toNodeListener(mppx.charge({ amount: '0.01', description: 'The tides of a port' }))
  return listen(
    createServer(async (req, res) => {
      const { status } = await charge(req, res)
      if (status !== 402) res.end('{"high":"04:12"}')
    }),
  )
}
