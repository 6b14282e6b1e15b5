/** The APIs through which models are called. */
export type Surface = 'chat' | 'responses' | 'messages' | 'embeddings'
