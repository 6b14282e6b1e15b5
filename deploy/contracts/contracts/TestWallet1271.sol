// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271, SignatureChecker} from "./SignatureChecker.sol";

/// @title TestWallet1271
/// @notice The smallest contract wallet: what its owner signs, it has signed. For tests of payers and owners with code.
contract TestWallet1271 is IERC1271 {
    /// @notice Whose signatures are the wallet's.
    address public immutable owner;

    /// @notice Makes a wallet.
    /// @param owner_ whose signatures are the wallet's
    constructor(address owner_) {
        owner = owner_;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        return SignatureChecker.recover(digest, signature) == owner
            ? IERC1271.isValidSignature.selector
            : bytes4(0xffffffff);
    }
}
