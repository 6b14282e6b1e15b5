export { A2A_PATH, A2A_VERSION, AGENT_CARD_PATH, AgentCard, agentCard, SKILL_OF_TEXTS } from './agent-card.ts'
export { argumentsOf, type Tool } from './tool.ts'
export { tools } from './tools.ts'
