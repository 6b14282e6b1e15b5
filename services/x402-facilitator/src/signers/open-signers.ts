import { awsKmsSigner } from './aws-kms.ts'
import { gcpKmsSigner } from './gcp-kms.ts'
import { localSigner } from './local.ts'
import type { Signer } from './signer.ts'
import type { SignerEntry } from './signer-list.ts'
import { web3signer } from './web3signer.ts'

/** The signers of the entries, which begin to prepare. @param gcpUrl where Google's KMS answers */
export function openSigners(entries: readonly SignerEntry[], gcpUrl: string): readonly Signer[] {
  const signers = entries.map((entry) => {
    if (entry.kind === 'local') return localSigner(entry.key, entry.retiring)
    if (entry.kind === 'aws-kms') return awsKmsSigner(entry)
    return entry.kind === 'gcp-kms' ? gcpKmsSigner(entry, gcpUrl) : web3signer(entry)
  })
  // What fails here fails again at the first signature, and is told there.
  for (const signer of signers) signer.prepare?.().catch(() => {})
  return signers
}
