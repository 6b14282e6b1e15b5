/** What the service wants an EIP-4361 message to say, as its nonce route answers. */
export interface Asked {
  readonly nonce: string
  readonly statement: string
  readonly domain: string
  readonly uri: string
}

/**
 * The message that an agent's wallet signs to ask for a link.
 * @source EIP-4361
 */
export const linkMessage = (asked: Asked, wallet: string, chainId: number, issuedAt: Date): string =>
  [
    `${asked.domain} wants you to sign in with your Ethereum account:`,
    wallet,
    '',
    asked.statement,
    '',
    `URI: ${asked.uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${asked.nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
  ].join('\n')
