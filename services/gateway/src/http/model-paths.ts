const MODEL_PATH = /\/(chat\/completions|responses|embeddings|messages|models)$/

/** Whether an unknown URL is one that a client of language models would use below a wrong base URL. */
export const isModelPath = (url: string): boolean => MODEL_PATH.test(url.split('?')[0] ?? '')

/** Tells such a client the right base URL. */
export const whereModelsAre = (origin: string): string =>
  `There is no such route. The base URL of OpenAI’s clients is ${origin}/v1 here, and that of Anthropic’s is ${origin}.`
