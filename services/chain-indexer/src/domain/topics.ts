import type { Hex } from '@callboard/values'

/** `Transfer(address indexed from, address indexed to, uint256 value)`, ERC-20. */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** `AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)`, EIP-3009. */
export const AUTHORIZATION_USED: Hex = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

/** `Staked(address indexed owner, uint256 amount, uint256 stake)`, the stake contract. */
export const STAKED: Hex = '0x1449c6dd7851abc30abf37f57715f492010519147cc2652fbc38202c18a6ee90'

/** `Unstaked(address indexed owner, uint256 amount, uint256 stake)`, the stake contract. */
export const UNSTAKED: Hex = '0x7fc4727e062e336010f2c282598ef5f14facb3de68cf8195c2f23e1454b2b74e'

/** `SplitterCreated(address indexed wallet, address indexed splitter)`, the splitter factory. */
export const SPLITTER_CREATED: Hex = '0x22142b283581f0b2a487f7a23e0422d292eb5783629173717aa106744ad70d60'

/** `Burned(address indexed from, uint256 amount, uint256 totalBurned)`, the burn ledger. */
export const BURNED: Hex = '0x23ff0e75edf108e3d0392d92e13e8c8a868ef19001bd49f9e94876dc46dff87f'

/** `Registered(uint256 indexed agentId, string agentURI, address indexed owner)`, ERC-8004 identity. */
export const REGISTERED: Hex = '0xca52e62c367d81bb2e328eb795f7c7ba24afb478408a26c0e201d155c449bc4a'

/** `agentWallet`, by its hash: the second topic of the `MetadataSet` that names it. */
export const AGENT_WALLET: Hex = '0x2ac6109326e720d1435c0db66f7e35eda7839f52b6f1f5520a60788e132b4e39'

/** `URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)`, ERC-8004 identity. */
export const URI_UPDATED: Hex = '0x3a2c7fffc2cba7582c690e3b82c453ea02a308326a98a3ad7576c606336409fb'

/** `MetadataSet(uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue)`, ERC-8004 identity. */
export const METADATA_SET: Hex = '0x2c149ed548c6d2993cd73efe187df6eccabe4538091b33adbd25fafdb8a1468b'

/** `NewFeedback(uint256 indexed agentId, address indexed clientAddress, uint64, int128, uint8, string indexed, …)`, ERC-8004 reputation. */
export const NEW_FEEDBACK: Hex = '0x6a4a61743519c9d648a14e6493f47dbe3ff1aa29e7785c96c8326a205e58febc'

/** `FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex)`, ERC-8004 reputation. */
export const FEEDBACK_REVOKED: Hex = '0x25156fd3288212246d8b008d5921fde376c71ed14ac2e072a506eb06fde6d09d'

/** `ResponseAppended(uint256 indexed agentId, address indexed clientAddress, uint64, address indexed responder, string, bytes32)`, ERC-8004 reputation. */
export const RESPONSE_APPENDED: Hex = '0xb1c6be0b5b8aef6539e2fac0fd131a2faa7b49edf8e505b5eb0ad487d56051d4'
