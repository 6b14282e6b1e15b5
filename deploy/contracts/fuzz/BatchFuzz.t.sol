// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SettlementBatch} from "../contracts/SettlementBatch.sol";
import {TestUSDC} from "../contracts/TestUSDC.sol";
import {Cheats} from "./Cheats.sol";

/// Legs are independent, whatever each of them is and whatever gas the batch gets.
contract BatchFuzz is Cheats {
    uint256 private constant LEGS = 5;
    uint256 private constant LEG_GAS = 100_000;
    address private constant PAYEE = address(0xbeef);
    /// JUMPDEST PUSH0 JUMP: a wallet that burns all gas it is asked with.
    bytes private constant GREEDY = hex"5b5f56";

    TestUSDC private usdc;
    SettlementBatch private batch;

    /// `good` the token takes it · the rest it does not, each for another reason.
    enum Kind {
        good,
        forged,
        poor,
        late,
        repeated,
        greedy
    }

    function setUp() public {
        usdc = new TestUSDC();
        batch = new SettlementBatch();
    }

    function testFuzz_legsAreIndependentAtAnyGasLimit(uint256 seed, uint256 gasLimit) public {
        bytes memory legs;
        bool[LEGS] memory isGood;
        for (uint256 i = 0; i < LEGS; ++i) {
            Kind kind = Kind(uint256(keccak256(abi.encode(seed, i))) % 6);
            isGood[i] = kind == Kind.good;
            legs = abi.encodePacked(legs, _leg(i, kind));
        }
        uint256 before = usdc.balanceOf(PAYEE);
        (bool settled,) = address(batch).call{gas: within(gasLimit, 30_000, 900_000)}(
            abi.encodeCall(SettlementBatch.settle, (address(usdc), LEG_GAS, legs))
        );
        uint256 sum = 0;
        for (uint256 i = 0; i < LEGS; ++i) {
            bool moved = usdc.balanceOf(_payer(i)) != _held(i);
            require(moved == (settled && isGood[i]), "a leg depended on the others, or on the gas");
            if (moved) sum += _value(i);
        }
        equal(usdc.balanceOf(PAYEE) - before, sum, "the payee");
        equal(usdc.balanceOf(address(batch)), 0, "the batch kept something");
    }

    function _key(uint256 i) private pure returns (uint256) {
        return 0xA11CE + i;
    }

    function _payer(uint256 i) private pure returns (address) {
        return vm.addr(_key(i));
    }

    function _value(uint256 i) private pure returns (uint256) {
        return 1_000 + i;
    }

    mapping(uint256 => uint256) private held;

    function _held(uint256 i) private view returns (uint256) {
        return held[i];
    }

    function _leg(uint256 i, Kind kind) private returns (bytes memory) {
        held[i] = kind == Kind.poor ? _value(i) - 1 : 10_000;
        usdc.mint(_payer(i), held[i]);
        bytes32 nonce = bytes32(i + 1);
        uint256 validBefore = kind == Kind.late ? block.timestamp : block.timestamp + 600;
        bytes memory arguments = abi.encode(_payer(i), PAYEE, _value(i), 0, validBefore, nonce);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(kind == Kind.forged ? _key(i) + 1_000 : _key(i), _digest(arguments));
        if (kind == Kind.repeated) _use(i, nonce);
        if (kind == Kind.greedy) vm.etch(_payer(i), GREEDY);
        return abi.encodePacked(arguments, uint256(v), r, s);
    }

    function _digest(bytes memory arguments) private view returns (bytes32) {
        bytes32 message = keccak256(abi.encodePacked(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), arguments));
        return keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), message));
    }

    function _use(uint256 i, bytes32 nonce) private {
        bytes32 message = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), _payer(i), nonce));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), message));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(_key(i), digest);
        usdc.cancelAuthorization(_payer(i), nonce, v, r, s);
    }
}
