import type { Hex } from '@callboard/values'

/** `Transfer(address indexed from, address indexed to, uint256 value)`, ERC-20. */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** `AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)`, EIP-3009. */
export const AUTHORIZATION_USED: Hex = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
