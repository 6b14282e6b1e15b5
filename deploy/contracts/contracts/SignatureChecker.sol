// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title IERC1271
/// @notice A contract's word on signatures.
interface IERC1271 {
    /// @notice Whether the contract stands by a signature.
    /// @param digest what was signed
    /// @param signature whatever the contract takes for one
    /// @return 0x1626ba7e for yes
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// @title SignatureChecker
/// @notice Whether a signature speaks for an account, as USDC decides it: an account with code is asked by EIP-1271 and by
/// nothing else, an account without code is judged by ECDSA and by nothing else.
library SignatureChecker {
    /// @dev The largest s of the lower half: half the order of secp256k1, rounded down (EIP-2).
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    function isValidSignatureNow(address account, bytes32 digest, bytes memory signature) internal view returns (bool) {
        if (account.code.length == 0) return recover(digest, signature) == account;
        (bool answered, bytes memory answer) =
            account.staticcall(abi.encodeCall(IERC1271.isValidSignature, (digest, signature)));
        return answered && answer.length >= 32 && bytes32(answer) == bytes32(IERC1271.isValidSignature.selector);
    }

    /// @dev The signer of a digest, from 65 bytes r, s, v. Reverts for the high-s twin and for v other than 27 and 28.
    function recover(bytes32 digest, bytes memory signature) internal pure returns (address signer) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(uint256(s) <= HALF_ORDER, "ECRecover: invalid signature 's' value");
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        signer = ecrecover(digest, v, r, s);
        require(signer != address(0), "ECRecover: invalid signature");
    }
}
