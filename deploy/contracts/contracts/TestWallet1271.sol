// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271, SignatureChecker} from "./SignatureChecker.sol";

/// The smallest contract wallet: what its owner signs, it has signed. For tests of payers and owners with code.
contract TestWallet1271 is IERC1271 {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        return SignatureChecker.recover(digest, signature) == owner
            ? IERC1271.isValidSignature.selector
            : bytes4(0xffffffff);
    }
}
