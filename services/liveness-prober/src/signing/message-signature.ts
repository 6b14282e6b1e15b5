import type { Ed25519Key } from '@callboard/sealing'

/** A part of a message that a signature covers: its identifier as written, and its value. */
export interface Component {
  /** For example `"@authority"` or `"signature-agent";key="sig1"`. */
  readonly id: string
  readonly value: string
}

/** Parameters of a signature in the order of writing: numbers are times in seconds, texts are ASCII without quotes. */
export type SignatureParams = Readonly<Record<string, number | string>>

/** One member of `Signature-Input` and its counterpart in `Signature`. */
export interface MessageSignature {
  readonly signatureInput: string
  readonly signature: string
}

/**
 * Signs a message with Ed25519.
 * @param label names the signature in both fields
 * @source RFC 9421 §2.5, §3.1, §3.3.6
 */
export function messageSignature(
  label: string,
  components: readonly Component[],
  params: SignatureParams,
  key: Pick<Ed25519Key, 'sign'>,
): MessageSignature {
  const covered = `(${components.map(({ id }) => id).join(' ')})`
  const written = Object.entries(params).map(([name, value]) => `;${name}=${JSON.stringify(value)}`)
  const input = `${covered}${written.join('')}`
  const base = [...components.map(({ id, value }) => `${id}: ${value}`), `"@signature-params": ${input}`].join('\n')
  return {
    signatureInput: `${label}=${input}`,
    signature: `${label}=:${key.sign(base).toString('base64')}:`,
  }
}
