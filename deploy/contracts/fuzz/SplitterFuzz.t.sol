// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FeeSplitter} from "../contracts/FeeSplitter.sol";
import {SplitterFactory} from "../contracts/SplitterFactory.sol";
import {TestUSDC} from "../contracts/TestUSDC.sol";
import {Cheats} from "./Cheats.sol";

/// What holds for any wallet, amount and fee.
contract SplitterFuzz is Cheats {
    TestUSDC private usdc;
    address private constant TREASURY = address(0xfee);

    function setUp() public {
        usdc = new TestUSDC();
    }

    function testFuzz_predictedIsDeployedForAnyWallet(address wallet, address by) public {
        vm.assume(wallet != address(0));
        SplitterFactory factory = new SplitterFactory(address(usdc), TREASURY, 500);
        address predicted = factory.predict(wallet);
        require(predicted.code.length == 0, "there before");
        vm.prank(by);
        require(factory.create(wallet) == predicted, "address");
        require(FeeSplitter(predicted).payoutWallet() == wallet, "wallet");
        vm.prank(by);
        require(factory.create(wallet) == predicted, "again");
    }

    function testFuzz_anyFeeRoundsDownAndTheRestIsTheWallets(address wallet, uint128 amount, uint16 feeBp) public {
        feeBp = uint16(within(feeBp, 0, 1_000));
        SplitterFactory factory = new SplitterFactory(address(usdc), TREASURY, feeBp);
        vm.assume(wallet != address(0) && wallet != TREASURY && wallet != address(usdc));
        vm.assume(wallet != factory.predict(wallet));
        usdc.mint(factory.predict(wallet), amount);
        factory.createAndDistribute(wallet);
        uint256 fee = uint256(amount) * feeBp / 10_000;
        equal(usdc.balanceOf(TREASURY), fee, "fee");
        equal(usdc.balanceOf(wallet), amount - fee, "payout");
    }

    function testFuzz_aFeeAboveTenPercentIsRefused(uint16 feeBp) public {
        feeBp = uint16(within(feeBp, 1_001, type(uint16).max));
        try new FeeSplitter(address(usdc), TREASURY, feeBp) {
            revert("it was taken");
        } catch (bytes memory reason) {
            require(bytes4(reason) == FeeSplitter.InvalidFee.selector, "reason");
        }
    }

    function testFuzz_aTokenWithoutCodeIsRefused(address token) public {
        vm.assume(token.code.length == 0);
        try new FeeSplitter(token, TREASURY, 500) {
            revert("it was taken");
        } catch (bytes memory reason) {
            require(bytes4(reason) == FeeSplitter.InvalidToken.selector, "reason");
        }
    }
}
