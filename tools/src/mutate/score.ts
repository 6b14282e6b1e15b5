/** What mutation-testing-report-schema 2 has of one mutant, as far as it is read here. */
export interface Mutant {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
  readonly location: { readonly start: Place; readonly end: Place }
}

/** Line and column, both from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

export interface ReportedFile {
  readonly source: string
  readonly mutants: readonly Mutant[]
}

export interface Score {
  readonly killed: number
  /** Of the killed those that no test ended in time, which a loaded machine may feign. */
  readonly timedOut: number
  readonly all: number
  readonly survivors: readonly Survivor[]
}

export interface Survivor {
  readonly line: number
  readonly original: string
  readonly mutant: string
}

const KILLED = new Set(['Killed', 'Timeout'])
const COUNTED = new Set([...KILLED, 'Survived', 'NoCoverage'])

/**
 * How many mutants of a file some test notices. Sentences are left out: that a message says this and not that is for its
 * reader to judge. A literal with a space in it is a sentence.
 */
export function scoreOf({ source, mutants }: ReportedFile): Score {
  const lines = source.split('\n')
  const counted = mutants.filter(
    (mutant) =>
      COUNTED.has(mutant.status) &&
      !(mutant.mutatorName === 'StringLiteral' && textAt(lines, mutant.location).includes(' ')),
  )
  const survived = counted.filter(({ status }) => !KILLED.has(status))
  return {
    killed: counted.length - survived.length,
    timedOut: counted.filter(({ status }) => status === 'Timeout').length,
    all: counted.length,
    survivors: survived.map(({ location, replacement = '' }) => ({
      line: location.start.line,
      original: textAt(lines, location),
      mutant: replacement,
    })),
  }
}

function textAt(lines: readonly string[], { start, end }: Mutant['location']): string {
  const text = lines.slice(start.line - 1, end.line)
  const last = text.length - 1
  if (last >= 0) text[last] = (text[last] as string).slice(0, end.column - 1)
  if (last >= 0) text[0] = (text[0] as string).slice(start.column - 1)
  return text.join('\n')
}

/** In percent. A file without a mutant has nothing to notice. */
export const percentOf = ({ killed, all }: Pick<Score, 'killed' | 'all'>): number =>
  all === 0 ? 100 : (100 * killed) / all

/** Whether a score reaches what is demanded of each file. */
export const isEnough = (score: Pick<Score, 'killed' | 'all'>): boolean => percentOf(score) >= DEMANDED

/** Percent of a file's mutants that its unit tests have to notice. */
export const DEMANDED = 85
