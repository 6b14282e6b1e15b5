/** The cast of the examples: one owner, one agent and one provider on Base. */
export const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const AGENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const PAYOUT_WALLET = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const SPLITTER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
export const FACTORY = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
export const NETWORK = 'eip155:8453'
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const TX_HASH = '0x1f0c9a6e5b3d47f2a8e6c1d0b9f8a7e6d5c4b3a2918070605040302010f0e0d0'
export const NONCE = '0x8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b'
export const SIGNATURE = `0x${'5a'.repeat(32)}${'3c'.repeat(32)}1b`
export const BYTES_32 = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA'
export const BASE_URL = 'https://callboard.example'
export const ENDPOINT = 'https://api.weather.example/forecast'
export const SLUG = 'weather-by-city'

export const JUST_NOW = '2026-11-22T09:30:00Z'
export const EARLIER = '2026-11-15T18:00:00Z'
export const LATER = '2026-11-22T09:40:00Z'

/** A wallet's EIP-4361 message. */
export const signInMessage = (wallet: string, statement: string): string =>
  `callboard.example wants you to sign in with your Ethereum account:\n${wallet}\n\n${statement}\n\n` +
  `URI: ${BASE_URL}\nVersion: 1\nChain ID: 8453\nNonce: 4f7K2mQ9xT1s\nIssued At: ${JUST_NOW}`
