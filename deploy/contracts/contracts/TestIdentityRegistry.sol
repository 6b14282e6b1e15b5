// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SignatureChecker} from "./SignatureChecker.sol";

/// @title TestIdentityRegistry
/// @notice Agents as ERC-721 tokens, with the events of the ERC-8004 identity registry, for local chains.
/// @dev The part of ERC-8004 that identities are read by: no safe transfers, no callbacks to receivers, no upgrade.
contract TestIdentityRegistry {
    /// @notice A key of an agent's metadata and its value, as `register` takes them.
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    /// @notice An agent was registered.
    /// @param agentId the agent
    /// @param agentURI where its registration file is said to be
    /// @param owner who holds it
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    /// @notice An agent's URI was changed.
    /// @param agentId the agent
    /// @param newURI where its registration file is said to be from now on
    /// @param updatedBy who changed it
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);
    /// @notice A value of an agent's metadata was set, or emptied.
    /// @param agentId the agent
    /// @param indexedMetadataKey the key, to filter by
    /// @param metadataKey the key
    /// @param metadataValue the value; of `agentWallet` the 20 bytes of an address, or none
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );
    /// @notice ERC-721: an agent changed hands, or was made.
    /// @param from who held it; zero for a new one
    /// @param to who holds it
    /// @param tokenId the agent
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    /// @notice ERC-721: an account may move one agent.
    /// @param owner who holds it
    /// @param approved who may move it
    /// @param tokenId the agent
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    /// @notice ERC-721: an account may move all agents of an owner, or may no longer.
    /// @param owner whose agents
    /// @param operator who may move them
    /// @param approved whether it may
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    /// @notice No agent has this id.
    /// @param agentId the id
    error UnknownAgent(uint256 agentId);
    /// @notice The caller neither holds the agent nor may move it.
    /// @param agentId the agent
    error NotAuthorized(uint256 agentId);
    /// @notice `agentWallet` is set by the signature of that wallet alone.
    error ReservedKey();
    /// @notice The signature's deadline is over, or more than five minutes away.
    /// @param deadline unix seconds
    error BadDeadline(uint256 deadline);
    /// @notice The signature is not the wallet's.
    error BadSignature();
    /// @notice Nobody can hold an agent at the zero address.
    error ZeroAddress();

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant AGENT_WALLET_SET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    bytes32 private constant AGENT_WALLET = keccak256("agentWallet");
    uint256 private constant LONGEST_DEADLINE = 5 minutes;

    /// @notice ERC-721: how many agents an account holds.
    mapping(address owner => uint256) public balanceOf;
    /// @notice ERC-721: who may move one agent.
    mapping(uint256 agentId => address) public getApproved;
    /// @notice ERC-721: who may move all agents of an owner.
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;

    uint256 private nextAgentId;
    mapping(uint256 agentId => address) private owners;
    mapping(uint256 agentId => string) private uris;
    mapping(uint256 agentId => mapping(string key => bytes)) private metadata;

    /// @notice Registers the caller's agent without a registration file.
    /// @return agentId the new agent
    function register() external returns (uint256 agentId) {
        agentId = mint("");
    }

    /// @notice Registers the caller's agent.
    /// @param agentURI where its registration file is
    /// @return agentId the new agent
    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = mint(agentURI);
    }

    /// @notice Registers the caller's agent with metadata.
    /// @param agentURI where its registration file is
    /// @param entries keys and values; none may be `agentWallet`
    /// @return agentId the new agent
    function register(string calldata agentURI, MetadataEntry[] calldata entries) external returns (uint256 agentId) {
        agentId = mint(agentURI);
        for (uint256 place; place < entries.length; place++) {
            requireFreeKey(entries[place].metadataKey);
            putMetadata(agentId, entries[place].metadataKey, entries[place].metadataValue);
        }
    }

    /// @notice ERC-721: who holds an agent.
    /// @param agentId the agent
    /// @return owner who holds it
    function ownerOf(uint256 agentId) public view returns (address owner) {
        owner = owners[agentId];
        if (owner == address(0)) revert UnknownAgent(agentId);
    }

    /// @notice ERC-721: where an agent's registration file is said to be.
    /// @param agentId the agent
    /// @return uri the URI
    function tokenURI(uint256 agentId) external view returns (string memory uri) {
        ownerOf(agentId);
        uri = uris[agentId];
    }

    /// @notice A value of an agent's metadata.
    /// @param agentId the agent
    /// @param metadataKey the key
    /// @return value empty where none is set
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory value) {
        value = metadata[agentId][metadataKey];
    }

    /// @notice The wallet that an agent is paid at.
    /// @param agentId the agent
    /// @return wallet zero where none is set
    function getAgentWallet(uint256 agentId) external view returns (address wallet) {
        wallet = address(bytes20(metadata[agentId]["agentWallet"]));
    }

    /// @notice Whether an account holds an agent or may move it.
    /// @param spender the account
    /// @param agentId the agent
    /// @return authorized true for the owner, and for those that it approved
    function isAuthorizedOrOwner(address spender, uint256 agentId) public view returns (bool authorized) {
        address owner = ownerOf(agentId);
        authorized = spender == owner || isApprovedForAll[owner][spender] || getApproved[agentId] == spender;
    }

    /// @notice Changes where an agent's registration file is.
    /// @param agentId an agent of the caller
    /// @param newURI where it is from now on
    function setAgentURI(uint256 agentId, string calldata newURI) external {
        requireAuthorized(agentId);
        uris[agentId] = newURI;
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// @notice Sets a value of an agent's metadata.
    /// @param agentId an agent of the caller
    /// @param metadataKey any key but `agentWallet`
    /// @param metadataValue the value
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external {
        requireAuthorized(agentId);
        requireFreeKey(metadataKey);
        putMetadata(agentId, metadataKey, metadataValue);
    }

    /// @notice Sets the wallet that an agent is paid at, which has signed for it.
    /// @param agentId an agent of the caller
    /// @param newWallet the wallet
    /// @param deadline unix seconds until which the signature holds, at most five minutes away
    /// @param signature of `AgentWalletSet`, by the wallet
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external {
        requireAuthorized(agentId);
        if (newWallet == address(0)) revert ZeroAddress();
        if (deadline < block.timestamp || deadline > block.timestamp + LONGEST_DEADLINE) revert BadDeadline(deadline);
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256("ERC8004IdentityRegistry"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        bytes32 message =
            keccak256(abi.encode(AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, owners[agentId], deadline));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, message));
        if (!SignatureChecker.isValidSignatureNow(newWallet, digest, signature)) revert BadSignature();
        putMetadata(agentId, "agentWallet", abi.encodePacked(newWallet));
    }

    /// @notice Leaves an agent without a wallet.
    /// @param agentId an agent of the caller
    function unsetAgentWallet(uint256 agentId) external {
        requireAuthorized(agentId);
        putMetadata(agentId, "agentWallet", "");
    }

    /// @notice ERC-721: lets an account move one agent.
    /// @param to who may move it
    /// @param agentId an agent of the caller
    function approve(address to, uint256 agentId) external {
        address owner = ownerOf(agentId);
        if (msg.sender != owner && !isApprovedForAll[owner][msg.sender]) revert NotAuthorized(agentId);
        getApproved[agentId] = to;
        emit Approval(owner, to, agentId);
    }

    /// @notice ERC-721: lets an account move all agents of the caller, or no longer.
    /// @param operator the account
    /// @param approved whether it may
    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    /// @notice ERC-721: moves an agent. Its wallet was the former owner's word and is emptied.
    /// @param from who holds it
    /// @param to who shall hold it
    /// @param agentId the agent
    function transferFrom(address from, address to, uint256 agentId) external {
        requireAuthorized(agentId);
        if (owners[agentId] != from) revert NotAuthorized(agentId);
        if (to == address(0)) revert ZeroAddress();
        putMetadata(agentId, "agentWallet", "");
        delete getApproved[agentId];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        owners[agentId] = to;
        emit Transfer(from, to, agentId);
    }

    /// @notice ERC-165: which interfaces this contract has.
    /// @param interfaceId the interface's id
    /// @return supported true for ERC-165 and ERC-721
    function supportsInterface(bytes4 interfaceId) external pure returns (bool supported) {
        supported = interfaceId == 0x01ffc9a7 || interfaceId == 0x80ac58cd;
    }

    function mint(string memory agentURI) private returns (uint256 agentId) {
        agentId = nextAgentId++;
        owners[agentId] = msg.sender;
        balanceOf[msg.sender] += 1;
        uris[agentId] = agentURI;
        emit Transfer(address(0), msg.sender, agentId);
        emit Registered(agentId, agentURI, msg.sender);
        putMetadata(agentId, "agentWallet", abi.encodePacked(msg.sender));
    }

    function putMetadata(uint256 agentId, string memory metadataKey, bytes memory metadataValue) private {
        metadata[agentId][metadataKey] = metadataValue;
        emit MetadataSet(agentId, metadataKey, metadataKey, metadataValue);
    }

    function requireAuthorized(uint256 agentId) private view {
        if (!isAuthorizedOrOwner(msg.sender, agentId)) revert NotAuthorized(agentId);
    }

    function requireFreeKey(string calldata metadataKey) private pure {
        if (keccak256(bytes(metadataKey)) == AGENT_WALLET) revert ReservedKey();
    }
}
