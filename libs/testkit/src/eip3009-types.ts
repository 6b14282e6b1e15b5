const authorization = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The EIP-712 types of an EIP-3009 token, for signing as a wallet does: written from the EIP, not from our code. */
export const EIP3009_TYPES = {
  TransferWithAuthorization: authorization,
  ReceiveWithAuthorization: authorization,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
