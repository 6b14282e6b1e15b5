// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EIP3009} from "./EIP3009.sol";

/// USDC for local chains: six decimals, EIP-3009, Circle's blocklist, and a minter.
///
/// No immutables and nothing but the minter set at construction, so the runtime code can stand at the real USDC address
/// of an imitated chain: `anvil_setCode(usdc, deployedBytecode)`, then `anvil_setStorageAt(usdc, slot 0, minter)`, then
/// `setName("USD Coin")` from the minter where Base is imitated.
/// Storage: slots 0 to 4 as in ERC20 and EIP3009, slot 5 the name when it is not "USDC", slot 6 isBlacklisted.
contract TestUSDC is EIP3009 {
    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);

    string private givenName;
    mapping(address account => bool) public isBlacklisted;

    constructor() {
        minter = msg.sender;
    }

    function name() public view override returns (string memory) {
        return bytes(givenName).length == 0 ? "USDC" : givenName;
    }

    function symbol() external pure override returns (string memory) {
        return "USDC";
    }

    function decimals() external pure override returns (uint8) {
        return 6;
    }

    function version() public pure override returns (string memory) {
        return "2";
    }

    /// Changes the name and with it the EIP-712 domain: Base's USDC calls itself "USD Coin". Only the minter.
    function setName(string calldata newName) external onlyMinter {
        givenName = newName;
    }

    /// From now on nothing moves from or to this account. Only the minter.
    function blacklist(address account) external onlyMinter {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyMinter {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function _transfer(address from, address to, uint256 value) internal override {
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        super._transfer(from, to, value);
    }
}
