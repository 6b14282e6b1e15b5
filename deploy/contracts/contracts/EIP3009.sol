// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "./ERC20.sol";
import {SignatureChecker} from "./SignatureChecker.sol";

/// @title EIP3009
/// @notice Transfers by signed authorization, with the checks, their order and the revert strings of Circle's FiatTokenV2.
/// @dev Storage: slot 4 authorizationState.
abstract contract EIP3009 is ERC20 {
    /// @notice An authorization moved its money; the `Transfer` is the very next log.
    /// @param authorizer the payer
    /// @param nonce the authorization's
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    /// @notice An authorization can never be used any more.
    /// @param authorizer the payer
    /// @param nonce the authorization's
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// @notice EIP-712 type hash of a transfer that anyone may submit.
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    /// @notice EIP-712 type hash of a transfer that its payee submits.
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    /// @notice EIP-712 type hash of a cancellation.
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @notice True once a nonce is used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    /// @notice The version of the EIP-712 domain.
    /// @return the version
    function version() public view virtual returns (string memory);

    /// @notice The EIP-712 domain that authorizations are signed in.
    /// @dev Computed at each call, so it follows the chain id of a fork and the name set after construction.
    /// @return the domain separator
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256(bytes(name())), keccak256(bytes(version())), block.chainid, address(this)
            )
        );
    }

    /// @notice Moves `value` from its signer; anyone may submit it, and the money goes to `to` in any case.
    /// @param from the payer, who signed
    /// @param to who is paid
    /// @param value base units
    /// @param validAfter unix seconds that must be over
    /// @param validBefore unix seconds that must not have come
    /// @param nonce any 32 bytes that the payer has not used
    /// @param v 27 or 28
    /// @param r first half of the signature
    /// @param s second half, in the lower half of the order
    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Moves `value` from its signer; anyone may submit it, and the money goes to `to` in any case.
    /// @param from the payer, who signed
    /// @param to who is paid
    /// @param value base units
    /// @param validAfter unix seconds that must be over
    /// @param validBefore unix seconds that must not have come
    /// @param nonce any 32 bytes that the payer has not used
    /// @param signature 65 bytes r, s, v, or whatever a contract payer takes for one
    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) public whenNotPaused {
        _requireWindow(validAfter, validBefore);
        bytes32 message =
            keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _use(from, nonce, message, signature);
        _transfer(from, to, value);
    }

    /// @notice The same for a payee that submits it itself, so nobody can run ahead of it.
    /// @param from the payer, who signed
    /// @param to who is paid
    /// @param value base units
    /// @param validAfter unix seconds that must be over
    /// @param validBefore unix seconds that must not have come
    /// @param nonce any 32 bytes that the payer has not used
    /// @param v 27 or 28
    /// @param r first half of the signature
    /// @param s second half, in the lower half of the order
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice The same for a payee that submits it itself, so nobody can run ahead of it.
    /// @param from the payer, who signed
    /// @param to who is paid
    /// @param value base units
    /// @param validAfter unix seconds that must be over
    /// @param validBefore unix seconds that must not have come
    /// @param nonce any 32 bytes that the payer has not used
    /// @param signature 65 bytes r, s, v, or whatever a contract payer takes for one
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) public whenNotPaused {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        _requireWindow(validAfter, validBefore);
        bytes32 message =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _use(from, nonce, message, signature);
        _transfer(from, to, value);
    }

    /// @notice Spends a nonce without moving money.
    /// @param authorizer the payer, who signed
    /// @param nonce the authorization's
    /// @param v 27 or 28
    /// @param r first half of the signature
    /// @param s second half, in the lower half of the order
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Spends a nonce without moving money.
    /// @param authorizer the payer, who signed
    /// @param nonce the authorization's
    /// @param signature 65 bytes r, s, v, or whatever a contract payer takes for one
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public whenNotPaused {
        _requireUnused(authorizer, nonce);
        _requireSignature(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @dev Emits `AuthorizationUsed` last, so the caller's `Transfer` is the very next log.
    function _use(address from, bytes32 nonce, bytes32 message, bytes memory signature) private {
        _requireUnused(from, nonce);
        _requireSignature(from, message, signature);
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }

    function _requireWindow(uint256 validAfter, uint256 validBefore) private view {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
    }

    function _requireUnused(address authorizer, bytes32 nonce) private view {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
    }

    function _requireSignature(address signer, bytes32 message, bytes memory signature) private view {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message));
        require(
            SignatureChecker.isValidSignatureNow(signer, digest, signature), "FiatTokenV2: invalid signature"
        );
    }
}
