import { agents, catalog, listings, router } from '../operations/index.ts'
import { type Tool, tool } from './tool.ts'

const CURSOR = 'The nextCursor of the page before; leave it out for the first page.'
const RANGE = 'How far back: 24h, 7d or 30d.'
const SLUG = 'The listing’s slug, as catalog_discovery or listings_mine shows it.'

/** Reads of the public directory and of what was observed on chain. */
const PUBLIC: readonly Tool[] = [
  tool(catalog.discovery, {
    description:
      'Searches the directory of APIs that are paid per call with x402 in USDC. An api has execution.url and method, which ' +
      'are what to call, and says whether it can be paid now; of other kinds, execution.url is a contact for people. Titles ' +
      'and summaries are the sellers’ own words. Use catalog_entry for everything needed to build the call.',
    inputs: {
      q: 'What to search for, in plain words: at most 200 characters. Leave it out to browse.',
      kinds: 'Which kinds of results; all of them when left out. Only an api can be called.',
      network: 'Only what is paid on this network, as CAIP-2: eip155:8453 is Base.',
      cursor: CURSOR,
      limit: 'Results on a page, 1 to 50. Five are usually enough to choose from.',
      includeUnverified: 'Also listings that nobody has reviewed. hiddenUnverified of the first page counts them.',
      category: 'Only this category.',
      maxPrice: 'The highest price of a call, in USD as decimal text.',
      payTo: 'Only what pays this address.',
      asset: 'Only what is paid in this token, by its contract’s address.',
      minUptime: 'The lowest share of checks that succeeded in seven days, from 0 to 1.',
      facets: 'Also counts results by category, network and asset.',
    },
  }),
  tool(catalog.entry, {
    description:
      'Everything needed to build a call to one listing: its endpoints with their inputs, prices and networks, and what ' +
      'our checks found. The 402 that the endpoint answers counts, not the price here.',
    inputs: { serviceId: SLUG },
  }),
  tool(catalog.posting, {
    description: 'One offer of work, or one request for something to buy, which catalog_discovery finds by its kind.',
    inputs: { id: 'The id of the posting: the end of its action.href.' },
  }),
  tool(catalog.stats, {
    description:
      'Sums of the calls whose payments were observed on chain, of the whole range and of its hours or days, and how far ' +
      'each network was read. They are settlements, not revenue; surviving leaves out what looks invented.',
    inputs: { range: RANGE },
  }),
  tool(catalog.activity, {
    description:
      'Payments observed on chain, newest first: all of them, those of one listing, or those of one address.',
    inputs: {
      range: RANGE,
      cursor: CURSOR,
      limit: 'Payments on a page, 1 to 100.',
      listing: 'Only payments for this listing, by its slug.',
      address: 'Only payments from or to this address.',
    },
  }),
  tool(catalog.addressActivity, {
    description: 'What one address paid and received, with sums and with the listings that most of it was for.',
    inputs: { address: 'The address.', range: RANGE, cursor: CURSOR },
  }),
  tool(catalog.walletUsage, {
    description: 'How many calls a wallet has paid for, and what it spent.',
    inputs: { wallet: 'The wallet’s address.' },
  }),
  tool(catalog.identity, {
    description:
      'The ERC-8004 agents of a wallet and the feedback about them. What an agent says of itself is a claim; feedback is ' +
      'whatever others wrote on chain.',
    inputs: { wallet: 'The wallet’s address.', cursor: CURSOR, limit: 'Agents on a page, 1 to 20.' },
  }),
  tool(router.models, {
    description: 'The language models that a Router key can call at this service, with their prices in USD per token.',
    inputs: {},
  }),
  tool(listings.resync, {
    description:
      'Has a live listing’s endpoints checked again now, and answers what was found. Use it when a listing should be ' +
      'payable and is shown otherwise. Listings that were imported from elsewhere cannot be rechecked.',
    inputs: { slug: SLUG },
    openWorld: true,
  }),
]

/** Reads of an agent about itself. */
const OF_AGENTS: readonly Tool[] = [
  tool(agents.self, { description: 'Who you are here: your wallet, label, scopes, and your owner.', inputs: {} }),
  tool(agents.siblings, { description: 'The other agents of your owner.', inputs: {} }),
  tool(agents.selfRouter, {
    description: 'What you may still spend on language models today, and the owner’s balance.',
    inputs: {},
  }),
  tool(agents.selfStake, {
    description: 'What your owner has staked, and what that is worth on the Router each day.',
    inputs: {},
  }),
]

/** The listings of the credential's owner. Publishing is missing: it takes a signature of the payout wallet. */
const OF_SELLERS: readonly Tool[] = [
  tool(listings.mine, {
    description: 'The listings of your owner, oldest first, with status, price, liveness and earnings.',
    inputs: { cursor: CURSOR, limit: 'Listings on a page, 1 to 100.' },
  }),
  tool(listings.visibility, {
    description:
      'Where one of your owner’s listings is found, and what keeps it out of other results, with the remedy.',
    inputs: { slug: SLUG, q: 'Also its place in the results of this query: at most 200 characters.' },
  }),
  tool(listings.probe, {
    description:
      'Calls an endpoint without paying, and reads what it asks for. Use it before you list an endpoint, or to learn ' +
      'why one is not payable.',
    inputs: {
      url: 'The endpoint’s http or https URL, reachable from the internet.',
      method: 'The HTTP method. Left out, the usual ones are tried.',
      sample: 'An input to send, if the endpoint refuses an empty one before it asks for payment.',
    },
    openWorld: true,
  }),
  tool(listings.edit, {
    description: 'Changes the name or the description of one of your owner’s listings.',
    inputs: { slug: SLUG, name: 'The new name, 3 to 80 characters.', description: 'The new description.' },
    destructive: true,
  }),
  tool(listings.setStatus, {
    description:
      'Takes one of your owner’s listings live (activate) or offline (suspend), asks for a review ' +
      '(request_verification), or makes it a draft again (revise).',
    inputs: { slug: SLUG, action: 'What to do.' },
    destructive: true,
    openWorld: true,
  }),
]

/**
 * What the hosted MCP server and the agent-to-agent server offer, in a fixed order. Missing on purpose are the operations
 * that hand out secrets, end links, or need a wallet's signature.
 */
export const tools: readonly Tool[] = [...PUBLIC, ...OF_AGENTS, ...OF_SELLERS]
