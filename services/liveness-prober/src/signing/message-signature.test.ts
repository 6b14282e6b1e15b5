import { ed25519Key } from '@callboard/sealing'
import { expect, test } from 'vitest'
import { messageSignature } from './message-signature.ts'

test('a request is signed as in RFC 9421 §B.2.6, byte for byte', () => {
  // The last 32 bytes of `test-key-ed25519` (RFC 9421 §B.1.4).
  const key = ed25519Key(Buffer.from('n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'base64url'))
  const components = [
    { id: '"date"', value: 'Tue, 20 Apr 2021 02:07:55 GMT' },
    { id: '"@method"', value: 'POST' },
    { id: '"@path"', value: '/foo' },
    { id: '"@authority"', value: 'example.com' },
    { id: '"content-type"', value: 'application/json' },
    { id: '"content-length"', value: '18' },
  ]
  const params = { created: 1_618_884_473, keyid: 'test-key-ed25519' }
  expect(messageSignature('sig-b26', components, params, key)).toEqual({
    signatureInput:
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  })
})
