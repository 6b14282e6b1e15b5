import { keccak256 } from '@callboard/x402'
import type { GoogleAuth } from 'google-auth-library'
import { fromDer } from './signature-forms.ts'
import type { Signer } from './signer.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloudkms'

let signIn: Promise<GoogleAuth> | undefined

async function openAuth(): Promise<GoogleAuth> {
  const { GoogleAuth } = await import('google-auth-library')
  return new GoogleAuth({ scopes: [SCOPE] })
}

/**
 * A key version in Google Cloud KMS (EC_SIGN_SECP256K1_SHA256, which is HSM only). Credentials are the application
 * default ones: the workload's identity, or the file of GOOGLE_APPLICATION_CREDENTIALS.
 * @param baseUrl of the API
 * @source Cloud KMS API v1, cryptoKeyVersions.asymmetricSign
 */
export function gcpKmsSigner(
  { address, at: name, retiring }: { address: Signer['address']; at: string; retiring: boolean },
  baseUrl: string,
): Signer {
  const url = new URL(`/v1/${name}:asymmetricSign`, baseUrl)
  const authorized = async () => {
    signIn ??= openAuth()
    return new Headers(await (await signIn).getRequestHeaders(url.href))
  }
  return {
    kind: 'gcp-kms',
    address,
    retiring,
    prepare: authorized,
    async sign(payload, signal) {
      const headers = await authorized()
      headers.set('content-type', 'application/json')
      // The field is named SHA-256 but accepts any digest of 32 bytes.
      const digest = { sha256: Buffer.from(keccak256(payload).slice(2), 'hex').toString('base64') }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ digest }), signal })
      if (!answer.ok) throw new Error(`answered ${answer.status}`)
      const { signature } = (await answer.json()) as { signature?: unknown }
      if (typeof signature !== 'string') throw new Error('the answer has no signature')
      return fromDer(Buffer.from(signature, 'base64'))
    },
  }
}
