// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "./ERC20.sol";

/// @title TestStakeToken
/// @notice The network's token on local chains: 18 decimals, minted by the deployer, burnable by its holders.
contract TestStakeToken is ERC20 {
    /// @notice The deployer is the minter.
    constructor() {
        minter = msg.sender;
    }

    /// @inheritdoc ERC20
    function name() public pure override returns (string memory) {
        return "Callboard";
    }

    /// @inheritdoc ERC20
    function symbol() external pure override returns (string memory) {
        return "CALL";
    }

    /// @inheritdoc ERC20
    function decimals() external pure override returns (uint8) {
        return 18;
    }

    /// @notice Destroys tokens of the caller and lowers the total supply.
    /// @param value base units
    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }
}
