// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "./IERC20.sol";

/// @title FeeSplitter
/// @notice Divides what it holds between the network's treasury and one payout wallet.
/// @dev This is the implementation; providers get clones of it whose code ends with their payout wallet (see
/// SplitterFactory). Token, treasury and fee are immutable here, the wallet is immutable there: there is no owner, no
/// upgrade and no way to change the payee. Anyone may distribute.
///
/// The two legs are paid independently. When one transfer fails (a wallet on USDC's blocklist), the other still goes
/// out, and the failed share is set aside for its own side: a later `distribute` pays it, never to the other side.
contract FeeSplitter {
    /// @notice What each side received in one call; a leg that could not be paid counts zero here.
    /// @param token the token that was divided
    /// @param fee base units that the treasury received
    /// @param payout base units that the payout wallet received
    event Distributed(address indexed token, uint256 fee, uint256 payout);
    /// @notice A leg could not be paid; `amount` is now set aside for `to`.
    /// @param token the token whose transfer failed
    /// @param to the treasury or the payout wallet
    /// @param amount base units that wait for `to`
    event SetAside(address indexed token, address indexed to, uint256 amount);

    /// @notice The implementation itself was asked for a payout wallet; only its clones have one.
    error NotAClone();
    /// @notice The token called back into a distribution.
    error Reentered();
    /// @notice The token has no code on this chain, so nothing could ever be paid out.
    error InvalidToken();
    /// @notice The treasury is the zero address, which USDC cannot pay.
    error InvalidTreasury();
    /// @notice The fee is above MAX_FEE_BP.
    error InvalidFee();
    /// @notice The token says that more is held than 128 bits can count.
    error BalanceTooLarge();

    /// @dev Shares of earlier distributions that could not be paid.
    struct Aside {
        uint128 fee;
        uint128 payout;
    }

    /// @notice The highest share that a splitter can be made with, in basis points: 1,000 is 10 %.
    uint16 public constant MAX_FEE_BP = 1_000;
    /// @dev 45 bytes of clone code come before its arguments.
    uint256 private constant ARGUMENTS_AT = 45;

    /// @notice The token that `distribute()` pays out.
    address public immutable usdc;
    /// @notice Who receives the network's share. Immutable: a contract there may have an end that its keepers can change.
    address public immutable treasury;
    /// @notice The network's share in basis points: 500 is 5 %.
    uint16 public immutable feeBp;
    address private immutable self = address(this);

    mapping(address token => Aside) private aside;
    bool private transient entered;

    /// @notice Makes an implementation; its clones share token, treasury and fee.
    /// @param usdc_ the chain's USDC; it must have code
    /// @param treasury_ who receives the network's share
    /// @param feeBp_ the network's share in basis points, at most MAX_FEE_BP
    constructor(address usdc_, address treasury_, uint16 feeBp_) {
        if (usdc_.code.length == 0) revert InvalidToken();
        if (treasury_ == address(0)) revert InvalidTreasury();
        if (feeBp_ > MAX_FEE_BP) revert InvalidFee();
        usdc = usdc_;
        treasury = treasury_;
        feeBp = feeBp_;
    }

    /// @notice Pays out all USDC held here.
    function distribute() external {
        _distribute(usdc);
    }

    /// @notice Pays out all of another token held here, in the same shares.
    /// @param token any ERC-20 token; its own code decides what its transfers do
    function distribute(address token) external {
        _distribute(token);
    }

    /// @notice The wallet at the end of this clone's code: whoever it was deployed for, for ever.
    /// @return wallet who receives what is left after the fee
    function payoutWallet() public view returns (address wallet) {
        if (address(this) == self) revert NotAClone();
        assembly ("memory-safe") {
            extcodecopy(address(), 0, ARGUMENTS_AT, 20)
            wallet := shr(96, mload(0))
        }
    }

    /// @notice What a `distribute(token)` would pay now: shares set aside earlier and the division of what came since.
    /// @dev The fee rounds down; the remainder is the provider's.
    /// @param token the token to ask about
    /// @return fee base units for the treasury
    /// @return payout base units for the payout wallet
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

    /// @dev Returns what is still owed: nothing, or all of it when the transfer failed.
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
