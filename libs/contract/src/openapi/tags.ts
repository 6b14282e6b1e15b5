/** The parts of the interface, by the service that answers; every operation belongs to one. */
const TAGS: Readonly<Record<string, string>> = {
  catalog: 'The directory: the calls on offer, and the payments made on chain.',
  listings: 'What providers publish: listings with their endpoints, fee splitters and checks.',
  'x402-facilitator':
    'Payments with x402: verify and settle payments, list the resources that were paid for, and a paid decoder.',
  'liveness-prober': 'The prober: the keys that sign our requests to third-party endpoints.',
  oauth: 'Sign-in, API keys, OAuth clients and tokens.',
  router: 'Language models, called with Router keys and paid for from a daily allowance or a prepaid balance.',
  agents: 'Agents that are linked to their owners: links, devices, backups and transfers.',
  gateway: 'Pages for people, and the documents that describe this service.',
}

export const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }))

/** @throws Error for a service without a description */
export function tagOf(service: string): string {
  if (TAGS[service] === undefined) throw new Error(`The service ${service} has no description in the OpenAPI document`)
  return service
}
