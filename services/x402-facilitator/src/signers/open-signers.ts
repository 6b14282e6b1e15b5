import { awsKmsSigner } from './aws-kms.ts'
import { gcpKmsSigner } from './gcp-kms.ts'
import { localSigner } from './local.ts'
import type { Signer } from './signer.ts'
import type { SignerEntry } from './signer-list.ts'
import { web3signer } from './web3signer.ts'

/** Opens the signers of the entries, which start to prepare. @param gcpUrl of Google's KMS */
export function openSigners(entries: readonly SignerEntry[], gcpUrl: string): readonly Signer[] {
  const signers = entries.map((entry) => {
    if (entry.kind === 'local') return localSigner(entry.key, entry.retiring)
    if (entry.kind === 'aws-kms') return awsKmsSigner(entry)
    return entry.kind === 'gcp-kms' ? gcpKmsSigner(entry, gcpUrl) : web3signer(entry)
  })
  // A failure here recurs at the first signature, and is reported there.
  for (const signer of signers) signer.prepare?.().catch(() => {})
  return signers
}
