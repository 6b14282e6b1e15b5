const MODEL_PATH = /\/(chat\/completions|responses|embeddings|messages|models)$/

/** Whether a URL that no route takes is one that a client of language models asks for below a base URL of its own. */
export const isModelPath = (url: string): boolean => MODEL_PATH.test(url.split('?')[0] ?? '')

/** Where such a client finds what it asks for. */
export const whereModelsAre = (origin: string): string =>
  `There is no such route. The base URL of OpenAI’s clients is ${origin}/v1 here, and that of Anthropic’s is ${origin}.`
