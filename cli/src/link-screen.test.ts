import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { codeScreen, pollSentences } from './link-screen.ts'

const begun = {
  ...{ device_code: 'secret', user_code: 'BCDF-GHJK', client_id: `agent_0x${'0'.repeat(40)}`, expires_in: 1_200 },
  ...{ verification_uri: 'https://callboard.example/link', interval: 5 },
  verification_uri_complete: 'https://callboard.example/link?user_code=BCDF-GHJK',
}
const shown = { begun, wallet: '0xabc', keyPlace: '/home/a/.config/callboard/agent.key', qr: false }

/** What a phone reads: each text line holds two rows of modules as half blocks. */
function read(drawn: string): string {
  const rows = drawn
    .split('\n')
    .flatMap((line) => [
      [...line].map((block) => block === '█' || block === '▀'),
      [...line].map((block) => block === '█' || block === '▄'),
    ])
  const scale = 4
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale]
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const light = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] ? 255 : 0
      data.set([light, light, light, 255], (y * width + x) * 4)
    }
  }
  return decodeQR({ width, height, data })
}

test('the screen shows the code, the wallet and the key file, and never the device code', () => {
  const text = codeScreen(shown)
  for (const part of ['BCDF-GHJK', '0xabc', 'agent.key', begun.verification_uri_complete]) expect(text).toContain(part)
  expect(text).not.toContain('secret')
})

test('the QR code decodes to the address', () => {
  const [, drawn = ''] = codeScreen({ ...shown, qr: true }).split('\n\n')
  expect(read(drawn)).toBe(begun.verification_uri_complete)
})

test('waiting is announced once, however often it polls, and each outage of the service once', () => {
  const sentenceOf = pollSentences()
  const states = ['pending', 'pending', 'slow_down', 'unreachable', 'unreachable', 'pending', 'unreachable'] as const
  const said = states.map((state) => sentenceOf(state))
  expect(said.map((sentence) => sentence !== undefined)).toEqual([true, false, false, true, false, false, true])
  expect(said[0]).toContain('Waiting for the owner.')
  expect(said[3]).toContain('cannot be reached')
})
