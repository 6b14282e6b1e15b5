// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TestIdentityRegistry} from "./TestIdentityRegistry.sol";

/// @title TestReputationRegistry
/// @notice What clients say of agents, with the events of the ERC-8004 reputation registry, for local chains.
/// @dev Any account may speak of any agent but its own. No summary is kept here: readers go by the events.
contract TestReputationRegistry {
    /// @notice A client said something of an agent.
    /// @param agentId the agent
    /// @param clientAddress who said it
    /// @param feedbackIndex which of the client's words on this agent it is, from 1 on
    /// @param value a number, whose meaning the tags say
    /// @param valueDecimals how many of its digits stand behind the point
    /// @param indexedTag1 the first tag, to filter by
    /// @param tag1 what was judged
    /// @param tag2 more of it
    /// @param endpoint what was used
    /// @param feedbackURI where more is said
    /// @param feedbackHash of what stands there
    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );
    /// @notice A client took back what it had said.
    /// @param agentId the agent
    /// @param clientAddress who takes back
    /// @param feedbackIndex which of its words
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);
    /// @notice An account answered to feedback.
    /// @param agentId the agent
    /// @param clientAddress who had spoken
    /// @param feedbackIndex which of its words
    /// @param responder who answers
    /// @param responseURI where the answer is
    /// @param responseHash of what stands there
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    /// @notice The value has more than 18 decimals, or more than 38 digits.
    error BadValue();
    /// @notice An agent's owner, and who may move it, say nothing of it.
    error SelfFeedback();
    /// @notice The client has said nothing under this index.
    /// @param feedbackIndex the index
    error UnknownFeedback(uint64 feedbackIndex);
    /// @notice It was taken back before.
    error AlreadyRevoked();
    /// @notice An answer says where it is.
    error EmptyURI();

    int128 private constant MOST = 1e38;

    TestIdentityRegistry private immutable identityRegistry;

    /// @notice How much a client has said of an agent, revoked or not.
    mapping(uint256 agentId => mapping(address client => uint64)) public getLastIndex;
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => bool))) private revoked;

    /// @notice Takes feedback on the agents of one registry.
    /// @param identityRegistry_ the registry
    constructor(TestIdentityRegistry identityRegistry_) {
        identityRegistry = identityRegistry_;
    }

    /// @notice The registry whose agents are spoken of.
    /// @return registry the registry
    function getIdentityRegistry() external view returns (address registry) {
        registry = address(identityRegistry);
    }

    /// @notice Says something of an agent.
    /// @param agentId the agent
    /// @param value at most 38 digits
    /// @param valueDecimals at most 18
    /// @param tag1 what is judged
    /// @param tag2 more of it
    /// @param endpoint what was used
    /// @param feedbackURI where more is said
    /// @param feedbackHash of what stands there
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string memory tag1,
        string memory tag2,
        string memory endpoint,
        string memory feedbackURI,
        bytes32 feedbackHash
    ) external {
        if (valueDecimals > 18 || value > MOST || value < -MOST) revert BadValue();
        if (identityRegistry.isAuthorizedOrOwner(msg.sender, agentId)) revert SelfFeedback();
        emit NewFeedback(
            agentId,
            msg.sender,
            ++getLastIndex[agentId][msg.sender],
            value,
            valueDecimals,
            tag1,
            tag1,
            tag2,
            endpoint,
            feedbackURI,
            feedbackHash
        );
    }

    /// @notice Takes back what the caller has said.
    /// @param agentId the agent
    /// @param feedbackIndex which of the caller's words
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        requireFeedback(agentId, msg.sender, feedbackIndex);
        if (revoked[agentId][msg.sender][feedbackIndex]) revert AlreadyRevoked();
        revoked[agentId][msg.sender][feedbackIndex] = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    /// @notice Answers to feedback; any account may.
    /// @param agentId the agent
    /// @param clientAddress who had spoken
    /// @param feedbackIndex which of its words
    /// @param responseURI where the answer is
    /// @param responseHash of what stands there
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external {
        requireFeedback(agentId, clientAddress, feedbackIndex);
        if (bytes(responseURI).length == 0) revert EmptyURI();
        emit ResponseAppended(agentId, clientAddress, feedbackIndex, msg.sender, responseURI, responseHash);
    }

    function requireFeedback(uint256 agentId, address client, uint64 feedbackIndex) private view {
        if (feedbackIndex == 0 || feedbackIndex > getLastIndex[agentId][client]) revert UnknownFeedback(feedbackIndex);
    }
}
