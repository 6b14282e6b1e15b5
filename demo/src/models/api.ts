import type { Answer } from './answer.ts'
import type { Frame } from './delivery.ts'
import type { Dialect } from './errors.ts'
import type { Json } from './json.ts'
import type { Prompt } from './prompt.ts'
import type { Trouble } from './trouble.ts'
import type { Usage } from './usage.ts'

/** The answers to a prompt, and what is reported about them. */
export interface Completion {
  /** 32 hexadecimal digits; each API puts its own prefix before them. */
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  /** The model as the request named it. */
  readonly model: string
  /** The request. */
  readonly body: Json
  readonly answers: readonly Answer[]
  /** undefined when none is reported. */
  readonly usage: Usage | undefined
  readonly trouble: Trouble | undefined
}

/** The format of one API: its requests and its answers. */
export interface Api {
  readonly dialect: Dialect
  /** @throws Refused 400 */
  readonly prompt: (body: Json) => Prompt
  /** The body of an unstreamed answer. */
  readonly whole: (completion: Completion) => Json
  /** The frames of a streamed one. */
  readonly frames: (completion: Completion) => readonly Frame[]
  /** The frame that reports a broken stream. */
  readonly broken: Frame
}

export const BROKEN = 'The answer broke off.'
