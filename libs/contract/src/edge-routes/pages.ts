import { z } from 'zod'
import { Scope } from '../schemas/agent.ts'
import { Range, Slug } from '../schemas/words.ts'
import type { EdgeRoute } from './edge-route.ts'

const page = { mediaType: 'text/html', limited: true, session: true } as const

const FAILS = {
  429: 'Too many requests.',
  500: 'A fault of ours.',
  503: 'A part of this service is unavailable.',
  504: 'The answer did not come in time.',
}
const READS = { 400: 'The address cannot be read.', ...FAILS }
const POSTS = {
  400: 'The form does not say what is to be done.',
  403: 'Not signed in, not the form that was shown, or the wallet has to sign again.',
  413: 'The form is too large.',
  415: 'The body is not a form.',
  ...FAILS,
}
const ENDED = { 404: 'It was ended already, or is not the owner’s.' }
const LINKS = {
  404: 'No request has that code.',
  409: 'The request was decided, or no agent can be linked any more.',
}

/** Proves that the form was shown to this session. */
const csrf = z.string()
const Text = z.string().optional()
const Decision = z.enum(['approve', 'deny'])

/** An owner's pages. */
export const pages: readonly EdgeRoute[] = [
  {
    ...page,
    id: 'gateway.frontPage',
    method: 'GET',
    path: '/',
    summary: 'The front page, with the search',
    query: z.object({ q: Text, unverified: z.enum(['true']).optional(), cursor: Text }),
    statuses: READS,
    linksCatalog: true,
  },
  {
    ...page,
    id: 'gateway.listingPage',
    method: 'GET',
    path: '/call/:serviceId',
    summary: 'One published listing: what it sells, at what price, and its check results',
    statuses: { ...READS, 404: 'There is no such listing.' },
    linksCatalog: true,
  },
  {
    ...page,
    id: 'gateway.invokePage',
    method: 'GET',
    path: '/call/invoke',
    summary: 'One call of a listing, opened by a signed link: what our probe saw, and how to call and pay it',
    query: z.object({ url: Text, method: Text, schema: Text, network: Text, sig: Text }),
    statuses: {
      ...FAILS,
      400: 'The link was not signed here, or was changed.',
      404: 'The listing, or this call of it, is not there any more.',
    },
    linksCatalog: true,
  },
  {
    ...page,
    id: 'gateway.activityPage',
    method: 'GET',
    path: '/activity',
    summary: 'The payments observed on chain: all, those of a listing, or both sides of an address',
    query: z.object({
      listing: Text,
      address: Text,
      range: z.enum([...Range.options, '']).optional(),
      cursor: Text,
    }),
    statuses: READS,
    linksCatalog: true,
  },
  {
    ...page,
    id: 'gateway.accountPage',
    method: 'GET',
    path: '/account',
    summary: 'The agents and programs that act for the owner',
    statuses: READS,
  },
  {
    ...page,
    id: 'gateway.accountEndPage',
    method: 'GET',
    path: '/account/end',
    summary: 'The confirmation before ending something that others rely on',
    query: z.object({ what: Text, id: Text }),
    statuses: { ...READS, ...ENDED },
  },
  {
    ...page,
    id: 'gateway.submitAccount',
    method: 'POST',
    path: '/account',
    summary: 'End or change something of the account, with the form of its page',
    form: z.object({
      csrf,
      do: z.enum(['end', 'acknowledge', 'set-limit', 'make-key', 'sign-out', 'sign-out-everywhere', 'end-everything']),
      what: Text,
      id: Text,
      descendants: Text,
      grants: Text,
      listings: Text,
      router_allowance_usd: Text,
      label: Text,
      source: Text,
      daily_limit_usd: Text,
    }),
    statuses: { ...POSTS, ...ENDED },
  },
  {
    ...page,
    id: 'gateway.accountRouterPage',
    method: 'GET',
    path: '/account/router',
    summary: 'The limits and spending of the owner’s Router keys, and how to buy balance',
    statuses: READS,
  },
  {
    ...page,
    id: 'gateway.accountListingsPage',
    method: 'GET',
    path: '/account/listings',
    summary: 'The owner’s listings: the results in which each appears, and why it is missing from the others',
    query: z.object({ cursor: Text }),
    statuses: READS,
  },
  {
    ...page,
    id: 'gateway.submitListings',
    method: 'POST',
    path: '/account/listings',
    summary: 'Take a listing offline, with the form of its page',
    form: z.object({ csrf, suspend: Slug, cursor: Text }),
    statuses: { ...POSTS, 404: 'It is not the owner’s, or gone.', 409: 'It is not live.' },
  },
  {
    ...page,
    id: 'gateway.stakePage',
    method: 'GET',
    path: '/stake',
    summary: 'The benefits of the owner’s stake, and the contracts that accept stakes',
    statuses: READS,
  },
  {
    ...page,
    id: 'gateway.linkPage',
    method: 'GET',
    path: '/link',
    summary: 'The link request to decide (RFC 8628 §3.3)',
    query: z.object({ user_code: Text }),
    statuses: { ...READS, 403: 'The session ended.', ...LINKS },
  },
  {
    ...page,
    id: 'gateway.submitLink',
    method: 'POST',
    path: '/link',
    summary: 'Approve or deny a link request, with the form of its page',
    form: z.object({
      csrf,
      user_code: z.string(),
      decision: Decision,
      scopes: z.array(Scope).optional(),
      router_allowance_usd: Text,
      trust_device: Text,
    }),
    statuses: { ...POSTS, ...LINKS },
  },
  {
    ...page,
    id: 'gateway.authorizePage',
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'The authorization request to decide (RFC 6749 §4.1.1)',
    query: z.object({
      response_type: Text,
      client_id: Text,
      redirect_uri: Text,
      scope: Text,
      state: Text,
      code_challenge: Text,
      code_challenge_method: Text,
      resource: Text,
    }),
    statuses: { ...READS, 303: 'The answer goes to the client at once.', 403: 'The session ended.' },
  },
  {
    ...page,
    id: 'gateway.submitAuthorize',
    method: 'POST',
    path: '/oauth/authorize',
    summary: 'Approve or deny an authorization request, with the form of its page',
    form: z.object({ csrf, query: z.string(), decision: Decision, scopes: z.array(Scope).optional() }),
    statuses: { ...POSTS, 303: 'The answer goes to the client.' },
  },
  {
    ...page,
    id: 'gateway.signInPage',
    method: 'GET',
    path: '/signin',
    summary: 'The page on which an owner signs in with a wallet',
    query: z.object({ return_to: Text, again: Text }),
    statuses: READS,
  },
]
