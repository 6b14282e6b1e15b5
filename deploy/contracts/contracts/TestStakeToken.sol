// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "./ERC20.sol";

/// The network's token on local chains: 18 decimals, minted by the deployer, burnable by its holders.
contract TestStakeToken is ERC20 {
    constructor() {
        minter = msg.sender;
    }

    function name() public pure override returns (string memory) {
        return "Callboard";
    }

    function symbol() external pure override returns (string memory) {
        return "CALL";
    }

    function decimals() external pure override returns (uint8) {
        return 18;
    }

    /// Destroys tokens of the caller and lowers the total supply.
    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }
}
