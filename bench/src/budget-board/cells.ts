export const SURFACES = ['chat', 'responses', 'messages', 'embeddings'] as const
export type Surface = (typeof SURFACES)[number]

/** What the upstream or the client does. An upstream may bill what it sent of a call that its client left, or not. */
export const BEHAVIOURS = [
  'ok',
  'error before a byte',
  'death in the answer',
  'abort, sent is billed',
  'abort, not billed',
  'usage missing',
  'usage only at the end',
  'cached tokens',
  'tools only',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

/** One way a call can go. */
export interface Cell {
  readonly id: number
  readonly surface: Surface
  readonly stream: boolean
  readonly behaviour: Behaviour
}

/** Rows of the board. */
export const ROWS = SURFACES.flatMap((surface) => [true, false].map((stream) => ({ surface, stream })))
export type Row = (typeof ROWS)[number]

export const nameOf = ({ surface, stream }: Row): string => `${surface}, ${stream ? 'streamed' : 'whole'}`

/** Why a cell does not exist; undefined where it does. */
export function whyNot({ surface, stream, behaviour }: Omit<Cell, 'id'>): string | undefined {
  if (surface !== 'embeddings') return undefined
  if (stream) return 'embeddings are not streamed'
  if (behaviour === 'tools only') return 'embeddings call no tools'
  return behaviour === 'cached tokens' ? 'embeddings read nothing from a cache' : undefined
}

/** Every cell that exists, in the order of the board. */
export const CELLS: readonly Cell[] = ROWS.flatMap((row) => BEHAVIOURS.map((behaviour) => ({ ...row, behaviour })))
  .filter((cell) => whyNot(cell) === undefined)
  .map((cell, id) => ({ id, ...cell }))

export const isAborted = ({ behaviour }: Cell): boolean => behaviour.startsWith('abort')
