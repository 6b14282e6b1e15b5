import { type Json, objectOf } from '../json.ts'
import type { Surface } from '../surface.ts'

/** The field for which a request is refused, and why. */
export interface Unpriced {
  readonly field: string
  readonly message: string
}

export const APART = 'is not offered: the provider bills it separately from the tokens that are priced here'
const DEARER = 'is not offered: the provider charges more per token than the price here'
export const TWICE = 'is not offered: the provider bills more than the one answer that is bounded here'
const KEPT = 'is not offered: nothing is stored at the provider'
const OTHERS = 'is not offered: the client cannot choose which model answers, and where'
const UNBOUNDED = 'is not offered: this API has another field that bounds an answer'
const TAKEN_OUT = 'is not offered: it takes out fields that are checked and bounded here'
const TOO_LONG = 'is not offered: an answer with it can be longer than is read'
const PATIENCE = 'is not offered: how long a provider has, and how often it is asked, is not the client’s to say'
const MOCK = 'is not offered: it makes a provider fail, or answer without a model'
const UNHELD = 'is not offered: with it, a prompt can have more tokens than are held for it'
const AROUND = 'is not offered: what a request adds in it is not checked, so send it beside the other fields'

/** Why a field is refused, and with which values it is not. */
export interface RefusedField {
  readonly why: string
  readonly unless?: readonly unknown[]
  /** Whether a value that is an object costs nothing. */
  readonly isFree?: (value: Json) => boolean
}
type Fields = Readonly<Record<string, RefusedField>>

const LATER = `${KEPT}; the answer comes with the call`
const store = { why: KEPT, unless: [false] }
const tier = { why: DEARER, unless: ['auto', 'default', 'standard_only', 'standard'] }
/**
 * Members of a request that LiteLLM's proxy sends to its provider as they are, in place of those that are checked and
 * bounded here, or that have it leave those out. Google's API has its own in one of them, of which thinking alone costs
 * nothing more.
 * @source LiteLLM, provider-specific params; Gemini API, OpenAI compatibility
 */
const AROUND_US: Fields = {
  extra_body: {
    why: AROUND,
    isFree: ({ google, ...others }) =>
      [others, objectOf(google)].every((one) => Object.keys(one).every((name) => name === 'thinking_config')),
  },
  additional_drop_params: { why: TAKEN_OUT },
  drop_params: { why: TAKEN_OUT, unless: [false] },
  extra_headers: { why: AROUND },
  extra_query: { why: AROUND },
  model_id: { why: OTHERS },
  deployment_id: { why: OTHERS },
  custom_llm_provider: { why: OTHERS },
}

/**
 * Names that other APIs have for the length of an answer and the number of answers. LiteLLM's proxy puts them in the
 * place of those that are bounded here.
 */
const BOUNDS: Fields = Object.fromEntries(
  [
    ...['maxOutputTokens', 'maxTokens', 'max_new_tokens', 'max_tokens_to_sample', 'num_predict', 'generationConfig'],
    ...['generation_config', 'inferenceConfig', 'num_return_sequences', 'candidateCount', 'candidate_count', 'best_of'],
  ].map((name) => [name, { why: UNBOUNDED, unless: [1] }]),
)

/** Fields of Anthropic's API, which LiteLLM's proxy takes in any other. */
const ANTHROPICS: Fields = {
  speed: { why: DEARER, unless: ['standard'] },
  inference_geo: { why: DEARER },
  container: { why: APART },
  mcp_servers: { why: APART },
}

/** Fields of vLLM and LMDeploy by which a client writes more into a prompt, or makes more tokens of an image. */
const WRITERS: Fields = {
  chat_template: { why: UNHELD },
  chat_template_kwargs: { why: UNHELD, isFree: ({ chat_template }) => chat_template === undefined },
  mm_processor_kwargs: { why: UNHELD },
}

/**
 * Fields of LiteLLM's proxy by which a client has its provider break off and bill one answer many times, or has it fail
 * at will, so that it is passed over for everyone.
 * @source LiteLLM, timeouts, reliability, mock completion
 */
const AT_WILL: Fields = {
  ...Object.fromEntries(
    ['timeout', 'stream_timeout', 'request_timeout', 'num_retries', 'max_retries'].map((name) => [
      name,
      { why: PATIENCE },
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['mock_response', 'mock_tool_calls', 'mock_timeout', 'mock_delay', 'mock_testing_rate_limit_error'],
      ...['mock_testing_fallbacks', 'mock_testing_context_fallbacks', 'mock_testing_content_policy_fallbacks'],
    ].map((name) => [name, { why: MOCK, unless: [false] }]),
  ),
}

/** What Venice bills by the search. */
const VENICE_PAID = ['enable_web_search', 'enable_web_scraping', 'enable_x_search']
const isOff = (value: unknown): boolean => [undefined, null, false, 'off'].some((one) => one === value)

/** Fields of providers that aggregate or search behind an OpenAI-shaped API. */
const AGGREGATORS: Fields = {
  ...AROUND_US,
  ...BOUNDS,
  ...ANTHROPICS,
  ...WRITERS,
  preset: { why: OTHERS },
  models: { why: OTHERS },
  provider: { why: OTHERS },
  route: { why: OTHERS },
  fallbacks: { why: OTHERS },
  context_window_fallbacks: { why: OTHERS },
  content_policy_fallbacks: { why: OTHERS },
  providerOptions: { why: OTHERS },
  plugins: { why: APART },
  search_parameters: { why: APART },
  search_settings: { why: APART },
  web_search_options: { why: APART },
  enable_search: { why: APART, unless: [false] },
  search_options: { why: APART },
  venice_parameters: { why: APART, isFree: (asked) => VENICE_PAID.every((name) => isOff(asked[name])) },
  enable_code_interpreter: { why: APART, unless: [false] },
  ...AT_WILL,
}

/** Fields that cost what no price row covers, or keep state at the provider, except with the values listed. */
export const REFUSED_FIELDS: Readonly<Record<Surface, Fields>> = {
  chat: {
    ...{ ...AGGREGATORS, service_tier: tier, audio: { why: DEARER }, prediction: { why: TWICE }, store },
    deferred: { why: LATER, unless: [false] },
    max_output_tokens: { why: UNBOUNDED },
    /** Of vLLM: alternatives to each token of the prompt, which no length bounds. */
    prompt_logprobs: { why: TOO_LONG },
  },
  responses: {
    ...{ ...AGGREGATORS, service_tier: tier, context_management: { why: TWICE }, image: { why: APART } },
    previous_response_id: { why: `${KEPT}; send the whole input` },
    conversation: { why: `${KEPT}; send the whole input` },
    prompt: { why: `${KEPT}; send the whole input` },
    background: { why: LATER, unless: [false] },
    store,
  },
  messages: {
    ...{ ...ANTHROPICS, service_tier: tier, billing_policy: { why: DEARER } },
    ...{ compaction: { why: TWICE }, fallbacks: { why: OTHERS }, fallback_credit_token: { why: OTHERS } },
    ...{ providerOptions: { why: OTHERS }, ...AROUND_US, ...BOUNDS },
    max_output_tokens: { why: UNBOUNDED },
    ...{ thread: { why: KEPT }, user_profile_id: { why: KEPT }, workspace_id: { why: KEPT } },
    ...AT_WILL,
  },
  embeddings: { ...AGGREGATORS, service_tier: tier },
}
