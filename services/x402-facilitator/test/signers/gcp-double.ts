import { randomUUID } from 'node:crypto'
import type { Hex } from '@callboard/values'
import { type Double, demand, startDouble } from './double.ts'

export const GCP_NAME = 'projects/p/locations/europe-north1/keyRings/callboard/cryptoKeys/lane/cryptoKeyVersions/3'
const TOKENS = '/computeMetadata/v1/instance/service-accounts/default/token'

/** The signing part of Google's Cloud KMS, and the metadata server that gives a workload its tokens. */
export function startGcpKms(key: Hex): Promise<Double> {
  const token = randomUUID()
  return startDouble(key, ({ method, path, headers, body }, sign) => {
    if (path.startsWith('/computeMetadata/')) {
      demand('the flavor', headers['metadata-flavor'], 'Google')
      return [
        200,
        path.startsWith(TOKENS) ? JSON.stringify({ access_token: token, expires_in: 3600 }) : 'googleapis.com',
      ]
    }
    demand('the method', method, 'POST')
    demand('the path', path, `/v1/${GCP_NAME}:asymmetricSign`)
    demand('the token', headers.authorization, `Bearer ${token}`)
    const { digest } = JSON.parse(body)
    demand('the digest’s name', Object.keys(digest).join(), 'sha256')
    const signature = Buffer.from(sign(Buffer.from(digest.sha256, 'base64')).toDERRawBytes()).toString('base64')
    return [200, JSON.stringify({ signature, name: GCP_NAME, protectionLevel: 'HSM' })]
  })
}
