import type * as livenessProber from '../operations/liveness-prober.ts'
import type { ExamplesOf } from './examples.ts'

const kid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
const contentDigest = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'
const tag = 'http-message-signatures-directory'

export const examples: ExamplesOf<typeof livenessProber> = {
  keyDirectory: {
    input: {},
    output: {
      keys: [{ crv: 'Ed25519', kty: 'OKP', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid, use: 'sig' }],
      messageSignature: {
        contentDigest,
        signatureInput: `sig1=("@authority";req "content-digest");created=1795340000;expires=1795343600;keyid="${kid}";alg="ed25519";tag="${tag}"`,
        signature: 'sig1=:5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw==:',
      },
    },
  },
}
