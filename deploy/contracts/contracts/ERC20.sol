// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "./IERC20.sol";

/// @title ERC20
/// @notice An ERC-20 token with one minter, for local chains.
/// @dev The derived contract names the minter; nothing else needs a constructor, so the runtime code also works where
/// `anvil_setCode` puts it.
/// Storage: slot 0 minter, slot 1 totalSupply, slot 2 balanceOf, slot 3 allowance.
abstract contract ERC20 is IERC20 {
    /// @notice Tokens moved, were made (`from` zero) or destroyed (`to` zero).
    /// @param from whose they were
    /// @param to whose they are
    /// @param value base units
    event Transfer(address indexed from, address indexed to, uint256 value);
    /// @notice An account allowed another one to spend its tokens.
    /// @param owner whose tokens
    /// @param spender who may spend them
    /// @param value base units, in all
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice Who may make tokens.
    address public minter;
    /// @notice Base units of all accounts together.
    uint256 public totalSupply;
    /// @notice Base units that an account holds.
    mapping(address account => uint256) public balanceOf;
    /// @notice Base units of an owner that a spender may still spend.
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    modifier onlyMinter() {
        require(msg.sender == minter, "ERC20: caller is not the minter");
        _;
    }

    /// @dev Whatever moves tokens or allows it passes here first: a token that can be paused overrides it.
    modifier whenNotPaused() {
        _requireNotPaused();
        _;
    }

    /// @notice The token's name.
    /// @return the name, as its EIP-712 domain has it
    function name() public view virtual returns (string memory);
    /// @notice The token's short name.
    /// @return the symbol
    function symbol() external view virtual returns (string memory);
    /// @notice How many digits stand behind the point.
    /// @return decimals of one whole token
    function decimals() external view virtual returns (uint8);

    /// @notice Makes `value` base units out of nothing. Only the minter.
    /// @param to who receives them
    /// @param value base units
    function mint(address to, uint256 value) external onlyMinter {
        require(to != address(0), "ERC20: mint to the zero address");
        totalSupply += value;
        unchecked {
            balanceOf[to] += value;
        }
        emit Transfer(address(0), to, value);
    }

    /// @inheritdoc IERC20
    function transfer(address to, uint256 value) external whenNotPaused returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    /// @notice Lets another account spend tokens of the caller.
    /// @param spender who may
    /// @param value base units, in all
    /// @return true
    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        require(spender != address(0), "ERC20: approve to the zero address");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// @inheritdoc IERC20
    function transferFrom(address from, address to, uint256 value) external whenNotPaused returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "ERC20: transfer amount exceeds allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _transfer(from, to, value);
        return true;
    }

    function _requireNotPaused() internal view virtual {}

    function _transfer(address from, address to, uint256 value) internal virtual {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        uint256 held = balanceOf[from];
        require(value <= held, "ERC20: transfer amount exceeds balance");
        unchecked {
            balanceOf[from] = held - value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    function _burn(address from, uint256 value) internal {
        uint256 held = balanceOf[from];
        require(value <= held, "ERC20: burn amount exceeds balance");
        unchecked {
            balanceOf[from] = held - value;
            totalSupply -= value;
        }
        emit Transfer(from, address(0), value);
    }
}
