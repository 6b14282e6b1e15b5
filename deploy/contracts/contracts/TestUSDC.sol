// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EIP3009} from "./EIP3009.sol";
import {ERC20} from "./ERC20.sol";

/// @title TestUSDC
/// @notice USDC for local chains: six decimals, EIP-3009, Circle's blocklist and pause, and a minter who is all of Circle.
/// @dev No immutables and nothing but the minter set at construction, so the runtime code can stand at the real USDC
/// address of an imitated chain: `anvil_setCode(usdc, deployedBytecode)`, then `anvil_setStorageAt(usdc, slot 0, minter)`,
/// then `setName("USD Coin")` from the minter where Base is imitated.
/// Storage: slots 0 to 4 as in ERC20 and EIP3009, slot 5 the name when it is not "USDC", slot 6 the blocklist, slot 7 paused.
/// Minting asks for neither: tests give money to whom they like.
contract TestUSDC is EIP3009 {
    /// @notice From now on nothing moves from or to an account.
    /// @param account which
    event Blacklisted(address indexed account);
    /// @notice Money moves from and to an account again.
    /// @param account which
    event UnBlacklisted(address indexed account);
    /// @notice From now on nothing moves at all.
    event Pause();
    /// @notice Money moves again.
    event Unpause();

    string private givenName;
    mapping(address account => bool) private blacklisted;
    /// @notice Whether all movement is stopped.
    bool public paused;

    /// @notice The deployer is the minter.
    constructor() {
        minter = msg.sender;
    }

    /// @inheritdoc ERC20
    function name() public view override returns (string memory) {
        return bytes(givenName).length == 0 ? "USDC" : givenName;
    }

    /// @inheritdoc ERC20
    function symbol() external pure override returns (string memory) {
        return "USDC";
    }

    /// @inheritdoc ERC20
    function decimals() external pure override returns (uint8) {
        return 6;
    }

    /// @inheritdoc EIP3009
    function version() public pure override returns (string memory) {
        return "2";
    }

    /// @notice Changes the name and with it the EIP-712 domain: Base's USDC calls itself "USD Coin". Only the minter.
    /// @param newName the name from now on
    function setName(string calldata newName) external onlyMinter {
        givenName = newName;
    }

    /// @notice Whether nothing moves from or to an account. The token itself is always on the list, as USDC is since 2.1.
    /// @param account which
    /// @return true when it is blocked
    function isBlacklisted(address account) public view returns (bool) {
        return account == address(this) || blacklisted[account];
    }

    /// @notice From now on nothing moves from or to this account. Only the minter.
    /// @param account which
    function blacklist(address account) external onlyMinter {
        blacklisted[account] = true;
        emit Blacklisted(account);
    }

    /// @notice Money moves from and to this account again. Only the minter.
    /// @param account which
    function unBlacklist(address account) external onlyMinter {
        blacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    /// @notice Stops every transfer, approval, authorization and cancellation. Only the minter.
    function pause() external onlyMinter {
        paused = true;
        emit Pause();
    }

    /// @notice Lets money move again. Only the minter.
    function unpause() external onlyMinter {
        paused = false;
        emit Unpause();
    }

    function _requireNotPaused() internal view override {
        require(!paused, "Pausable: paused");
    }

    function _transfer(address from, address to, uint256 value) internal override {
        require(!isBlacklisted(from) && !isBlacklisted(to), "Blacklistable: account is blacklisted");
        super._transfer(from, to, value);
    }
}
