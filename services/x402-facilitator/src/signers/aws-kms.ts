import type { KMSClient } from '@aws-sdk/client-kms'
import { keccak256 } from '@callboard/x402'
import { fromDer } from './signature-forms.ts'
import type { Signer } from './signer.ts'
import { regionOf } from './signer-list.ts'

/** The SDK is loaded only if such a key is configured. One client serves all keys of a region. */
const clients = new Map<string, Promise<KMSClient>>()

async function clientIn(region: string): Promise<KMSClient> {
  const { KMSClient } = await import('@aws-sdk/client-kms')
  // The payment is retried; a retry here would only take longer.
  return new KMSClient({ region, maxAttempts: 1 })
}

/**
 * A key in AWS KMS (key spec ECC_SECG_P256K1, usage SIGN_VERIFY). Credentials and endpoint are the SDK's own: the
 * process's role, AWS_ENDPOINT_URL_KMS.
 * @param arn of a key or an alias
 * @source AWS KMS API, Sign
 */
export function awsKmsSigner({
  address,
  at: arn,
  retiring,
}: {
  address: Signer['address']
  at: string
  retiring: boolean
}): Signer {
  const region = regionOf(arn)
  const connected = () => {
    const client = clients.get(region) ?? clientIn(region)
    clients.set(region, client)
    return client
  }
  return {
    kind: 'aws-kms',
    address,
    retiring,
    prepare: connected,
    async sign(payload, abortSignal) {
      const { SignCommand } = await import('@aws-sdk/client-kms')
      const { Signature } = await (await connected()).send(
        new SignCommand({
          KeyId: arn,
          Message: Buffer.from(keccak256(payload).slice(2), 'hex'),
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
        { abortSignal },
      )
      if (!Signature) throw new Error('the answer has no signature')
      return fromDer(Signature)
    },
  }
}
