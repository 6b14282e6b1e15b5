// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SplitterFactory} from "./SplitterFactory.sol";

/// @title SplitterDeployment
/// @notice Puts the splitter factory at one address on all chains, although their USDC has another address on each.
/// @dev Deployed by CREATE2 with the same arguments everywhere: they name the USDC of every chain, and the constructor
/// takes the one of the chain it runs on. So this contract's address, and that of the factory, which is its first
/// creation, follow from the whole table, the treasury and the fee, and whoever deploys it deploys exactly that.
contract SplitterDeployment {
    /// @notice The USDC of one chain.
    struct ChainToken {
        uint256 chainId;
        address usdc;
    }

    /// @notice The table has no USDC for this chain.
    /// @param chainId the chain's
    error UnknownChain(uint256 chainId);

    /// @notice The factory of this chain.
    SplitterFactory public immutable factory;

    /// @notice Creates the factory of this chain.
    /// @param tokens the USDC of every chain, in the same order everywhere
    /// @param treasury who receives the network's share, the same address on every chain
    /// @param feeBp the network's share in basis points, at most 1,000
    constructor(ChainToken[] memory tokens, address treasury, uint16 feeBp) {
        factory = new SplitterFactory(_usdcHere(tokens), treasury, feeBp);
    }

    function _usdcHere(ChainToken[] memory tokens) private view returns (address) {
        for (uint256 i = 0; i < tokens.length; ++i) {
            if (tokens[i].chainId == block.chainid) return tokens[i].usdc;
        }
        revert UnknownChain(block.chainid);
    }
}
