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
