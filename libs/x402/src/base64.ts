const CHUNK = 8192
const STANDARD = /^([A-Za-z0-9+/]*)={0,2}$/
const URL_SAFE = /^[A-Za-z0-9_-]*$/

/** Standard base64 with padding, the form of every x402 header. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

/** The bytes of standard base64; undefined for any other character, line breaks and impossible lengths. */
export function fromBase64(text: string): Uint8Array | undefined {
  const digits = STANDARD.exec(text)?.[1]
  if (digits === undefined || digits.length % 4 === 1) return undefined
  const binary = atob(digits)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** The bytes of base64url without padding, as MPP challenges carry it. */
export const fromBase64Url = (text: string): Uint8Array | undefined =>
  URL_SAFE.test(text) ? fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')) : undefined

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8 bytes, or undefined where the bytes are not UTF-8: nothing is replaced silently. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

export const toUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
