/** The parts of the interface, by the service that answers; every operation has one of them. */
const TAGS: Readonly<Record<string, string>> = {
  catalog: 'The directory: what can be called, and what was paid on chain.',
  listings: 'What providers publish: listings with their endpoints, fee splitters and checks.',
  'x402-facilitator': 'Payments with x402: verify, settle, what was paid for, and a decoder that is itself sold.',
  'liveness-prober': 'Who probes: the keys that sign our requests to endpoints of third parties.',
  oauth: 'Sign-in, API keys, OAuth clients and tokens.',
  router: 'Language models, called with Router keys and paid from a daily allowance or a bought balance.',
  agents: 'Agents that are linked to their owners: links, devices, backups and transfers.',
  gateway: 'Pages for people, and the documents that describe this service.',
}

export const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }))

/** @throws Error for a service without a description */
export function tagOf(service: string): string {
  if (TAGS[service] === undefined) throw new Error(`The service ${service} has no description in the OpenAPI document`)
  return service
}
