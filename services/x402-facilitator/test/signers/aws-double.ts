import { createHash, createHmac } from 'node:crypto'
import type { Hex } from '@callboard/values'
import { type Asked, type Double, demand, startDouble } from './double.ts'

export const AWS_CREDENTIALS = { id: 'AKIDEXAMPLE', secret: 'the secret of the tests' }
const REGION = 'eu-north-1'
export const AWS_ARN = `arn:aws:kms:${REGION}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The signature that AWS would compute for a request. @source AWS Signature Version 4 */
function signatureOf({ method, path, headers, body }: Asked, signed: string, scope: string): string {
  const canonical = [
    ...[method, path, ''],
    ...signed.split(';').map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    ...['', signed, sha256(body)],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'] ?? '', scope, sha256(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${AWS_CREDENTIALS.secret}`)
  return hmac(key, text).toString('hex')
}

/** The signing part of AWS KMS: accepts only requests signed with our credentials, for our key, with a digest. */
export const startAwsKms = (key: Hex): Promise<Double> =>
  startDouble(key, (asked, sign) => {
    demand('the method', asked.method, 'POST')
    demand('the operation', asked.headers['x-amz-target'], 'TrentService.Sign')
    const given = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      asked.headers.authorization ?? '',
    )
    if (!given) throw new Error('the request is not signed')
    const [, id, scope = '', signed = '', signature] = given
    demand('the access key', id, AWS_CREDENTIALS.id)
    demand('the scope', scope.slice(9), `${REGION}/kms/aws4_request`)
    for (const name of ['host', 'x-amz-date', 'x-amz-target']) demand(name, signed.split(';').includes(name), true)
    demand('the signature', signature, signatureOf(asked, signed, scope))
    const { KeyId, Message, MessageType, SigningAlgorithm } = JSON.parse(asked.body)
    demand('the key', KeyId, AWS_ARN)
    demand('the kind of message', MessageType, 'DIGEST')
    demand('the algorithm', SigningAlgorithm, 'ECDSA_SHA_256')
    const Signature = Buffer.from(sign(Buffer.from(Message, 'base64')).toDERRawBytes()).toString('base64')
    return [200, JSON.stringify({ KeyId, Signature, SigningAlgorithm })]
  })
