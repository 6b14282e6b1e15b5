// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "./IERC20.sol";

/// Divides what it holds between the network's treasury and one payout wallet.
///
/// This is the implementation; providers get clones of it whose code ends with their payout wallet (see
/// SplitterFactory). Token, treasury and fee are immutable here, the wallet is immutable there: there is no owner, no
/// upgrade and no way to change the payee. Anyone may distribute.
///
/// The two legs are paid independently. When one transfer fails (a wallet on USDC's blocklist), the other still goes
/// out, and the failed share is set aside for its own side: a later `distribute` pays it, never to the other side.
contract FeeSplitter {
    /// What each side received in this call; a leg that could not be paid counts zero here.
    event Distributed(address indexed token, uint256 fee, uint256 payout);
    /// A leg could not be paid; `amount` is now set aside for `to`.
    event SetAside(address indexed token, address indexed to, uint256 amount);

    error NotAClone();
    error Reentered();
    error InvalidTreasury();
    error InvalidFee();
    error BalanceTooLarge();

    /// Shares of earlier distributions that could not be paid.
    struct Aside {
        uint128 fee;
        uint128 payout;
    }

    /// 45 bytes of clone code come before its arguments.
    uint256 private constant ARGUMENTS_AT = 45;

    address public immutable usdc;
    address public immutable treasury;
    /// The network's share in basis points: 500 is 5 %.
    uint16 public immutable feeBp;
    address private immutable self = address(this);

    mapping(address token => Aside) private aside;
    bool private transient entered;

    constructor(address usdc_, address treasury_, uint16 feeBp_) {
        if (treasury_ == address(0)) revert InvalidTreasury();
        if (feeBp_ > 10_000) revert InvalidFee();
        usdc = usdc_;
        treasury = treasury_;
        feeBp = feeBp_;
    }

    /// Pays out all USDC held here.
    function distribute() external {
        _distribute(usdc);
    }

    /// Pays out all of another token held here.
    function distribute(address token) external {
        _distribute(token);
    }

    /// The wallet at the end of this clone's code: whoever it was deployed for, for ever.
    function payoutWallet() public view returns (address wallet) {
        if (address(this) == self) revert NotAClone();
        assembly ("memory-safe") {
            extcodecopy(address(), 0, ARGUMENTS_AT, 20)
            wallet := shr(96, mload(0))
        }
    }

    /// What a `distribute(token)` would pay now: shares set aside earlier and the division of what came since.
    /// The fee rounds down; the remainder is the provider's.
    function claimable(address token) public view returns (uint256 fee, uint256 payout) {
        Aside memory kept = aside[token];
        uint256 held = IERC20(token).balanceOf(address(this));
        if (held > type(uint128).max) revert BalanceTooLarge();
        uint256 keptSum = uint256(kept.fee) + kept.payout;
        uint256 fresh = held > keptSum ? held - keptSum : 0;
        uint256 freshFee = fresh * feeBp / 10_000;
        fee = kept.fee + freshFee;
        payout = kept.payout + fresh - freshFee;
    }

    function _distribute(address token) private {
        if (entered) revert Reentered();
        entered = true;
        address wallet = payoutWallet();
        (uint256 fee, uint256 payout) = claimable(token);
        if (fee + payout != 0) _payBoth(token, wallet, fee, payout);
        entered = false;
    }

    function _payBoth(address token, address wallet, uint256 fee, uint256 payout) private {
        uint256 unpaidFee = _pay(token, treasury, fee);
        uint256 unpaidPayout = _pay(token, wallet, payout);
        _setAside(token, unpaidFee, unpaidPayout);
        emit Distributed(token, fee - unpaidFee, payout - unpaidPayout);
    }

    /// Returns what is still owed: nothing, or all of it when the transfer failed.
    function _pay(address token, address to, uint256 amount) private returns (uint256) {
        if (amount == 0) return 0;
        (bool called, bytes memory answer) = token.call(abi.encodeCall(IERC20.transfer, (to, amount)));
        if (called && (answer.length == 0 || (answer.length >= 32 && uint256(bytes32(answer)) == 1))) return 0;
        emit SetAside(token, to, amount);
        return amount;
    }

    function _setAside(address token, uint256 fee, uint256 payout) private {
        Aside memory kept = aside[token];
        if (kept.fee == fee && kept.payout == payout) return;
        aside[token] = Aside(uint128(fee), uint128(payout));
    }
}
