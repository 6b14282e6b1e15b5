import type { Address, IsoTime } from '@callboard/values'
import { SiweMessage } from '@signinwithethereum/siwe'
import { getAddress } from 'viem'

/** The fields of an EIP-4361 message. Times are RFC 3339 text. */
export interface SiweFields {
  /** Present only when the text starts with it: "https". */
  readonly scheme?: string
  /** RFC 3986 authority: host, and port when it is not the default one. */
  readonly domain: string
  readonly address: Address
  /** One line of RFC 3986 characters and spaces: no quotes, no letters outside ASCII. */
  readonly statement?: string
  readonly uri: string
  readonly chainId: number
  /** At least 8 letters and digits. */
  readonly nonce: string
  readonly issuedAt: IsoTime
  readonly expirationTime?: IsoTime
  readonly notBefore?: IsoTime
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/** The longest message that is read, in characters; the grammar is ASCII, so characters are bytes. */
export const SIWE_MAX_LENGTH = 2048

/**
 * Writes the text that a wallet signs.
 * @throws Error when the fields make no message of the grammar
 * @source EIP-4361
 */
export function siweMessage(fields: SiweFields): string {
  const { resources, ...rest } = fields
  const text = new SiweMessage({
    ...rest,
    version: '1',
    ...(resources && { resources: [...resources] }),
  }).prepareMessage()
  if (!parseSiwe(text)) throw new Error('the fields make no readable EIP-4361 message')
  return text
}

/**
 * Reads a message by the exact grammar of EIP-4361: its result, written again, is the text itself. That refuses chain
 * ids with leading zeros or beyond 2^53, which other readers treat as different numbers. An address in a single letter
 * case is accepted and returned in EIP-55; a wrong checksum is refused.
 * @returns undefined for any other text, and for one longer than `SIWE_MAX_LENGTH`
 */
export function parseSiwe(text: string): SiweFields | undefined {
  if (text.length > SIWE_MAX_LENGTH) return undefined
  const message = strictlyParsed(text)
  if (message?.version !== '1' || message.prepareMessage() !== text) return undefined
  const { scheme, domain, statement, uri, chainId, nonce, issuedAt, expirationTime, notBefore, requestId, resources } =
    message
  if (!Number.isSafeInteger(chainId) || chainId < 1 || !issuedAt) return undefined
  if (![issuedAt, expirationTime, notBefore].every(isMomentOrAbsent)) return undefined
  return {
    domain,
    address: getAddress(message.address.toLowerCase()),
    uri,
    chainId,
    nonce,
    issuedAt,
    ...(scheme !== undefined && { scheme }),
    ...(statement !== undefined && { statement }),
    ...(expirationTime !== undefined && { expirationTime }),
    ...(notBefore !== undefined && { notBefore }),
    ...(requestId !== undefined && { requestId }),
    ...(resources !== undefined && { resources }),
  }
}

function strictlyParsed(text: string): SiweMessage | undefined {
  try {
    return new SiweMessage(text)
  } catch {
    return undefined
  }
}

/** The grammar allows leap seconds, which do not exist in epoch time and would compare as neither early nor late. */
const isMomentOrAbsent = (time: IsoTime | undefined) => time === undefined || !Number.isNaN(Date.parse(time))
